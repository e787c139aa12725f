import type { SignInMethod, SignInOutcome } from '@/lib/access/owners/sign-in-record';
import { pool } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { bind, nullable, param, sql, statement, whereSet } from '@/lib/platform/sql';
import { type KeysetPosition, type KeysetValues, keysetPage, keysetSql } from '@/lib/platform/text/keyset';

const PAGE_SIZE = 50;

/** A null field matches all sign-ins. */
export type SignInFilter = { tenantId: string; person: string | null; result: 'succeeded' | 'failed' | null };

/** One person's attempts within one minute, with the same network, outcome, and method. */
export type SignInLine = {
  id: string;
  /** Of the latest attempt. */
  at: Date;
  user_id: string;
  user_name: string;
  outcome: SignInOutcome;
  method: SignInMethod;
  /** An IPv4 address or an IPv6 /64 network. Null for a wrong password if the account had too many attempts in this minute. */
  network: string | null;
  attempts: number;
};

const CONDITIONS = {
  tenantId: sql`s.tenant_id = ${param.text('tenantId')}`,
  person: sql`s.user_id = ${nullable(param.text('person'))}`,
  result: (result: 'succeeded' | 'failed') =>
    result === 'failed' ? sql`(s.outcome <> 'signed_in') = true` : sql`(s.outcome <> 'signed_in') = false`,
};

/**
 * Returns a page of a tenant's sign-ins, latest first. A cursor is a time and an id, so no earlier pages are read.
 * @throws AppError invalid_request if the cursor is invalid.
 */
export async function listSignIns(filter: SignInFilter, page: KeysetPosition) {
  const { beyond, order, values } = keysetSql(sql`s.at`, sql`s.id`, page, (id) => isId('sgn', id));
  const select = statement<SignInLine>()`
    SELECT s.id, s.at, s.user_id, u.name AS user_name, s.outcome, s.method, s.network, s.attempts
    FROM sign_ins s JOIN users u ON u.id = s.user_id
    WHERE ${whereSet<SignInFilter, SignInFilter & KeysetValues>(filter, CONDITIONS, beyond)}
    ORDER BY ${order} LIMIT ${PAGE_SIZE + 1}`;
  const { rows } = await pool().query<SignInLine>(bind(select, { ...filter, ...values }));
  const { rows: lines, previous, next } = keysetPage(rows, page, PAGE_SIZE, cursorOf);
  return { lines, previous, next };
}

function cursorOf({ at, id }: SignInLine): string {
  return `${at.toISOString()}_${id}`;
}
