import type { SignInMethod, SignInOutcome } from '@/lib/access/owners/sign-in-record';
import { pool } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { isId } from '@/lib/platform/ids';
import { type KeysetPosition, keysetPage, parseKeyset } from '@/lib/platform/text/keyset';

const PAGE_SIZE = 50;

/** A null field matches all sign-ins. */
export type SignInFilter = { tenantId: string; person: string | null; failed: boolean | null };

/** One person's attempts within one minute, with the same network, outcome, and method. */
export type SignInLine = {
  id: string;
  /** Of the latest attempt. */
  at: Date;
  user_id: string;
  user_name: string;
  outcome: SignInOutcome;
  method: SignInMethod;
  /**
   * An IPv4 address or an IPv6 /64 network. Null for a wrong password if the account had too many attempts in this
   * minute.
   */
  network: string | null;
  attempts: number;
};

export type SignInPage = { lines: SignInLine[]; previous: string | null; next: string | null };

/**
 * Returns a page of a tenant's sign-ins, latest first. A cursor is a time and an id, so no earlier pages are read.
 * @throws AppError invalid_request if the cursor is invalid.
 */
export async function listSignIns(filter: SignInFilter, page: KeysetPosition): Promise<SignInPage> {
  const { rows } = await pool().query<SignInLine>(listSql(filter, page));
  const { rows: lines, previous, next } = keysetPage(rows, page, PAGE_SIZE, cursorOf);
  return { lines, previous, next };
}

function listSql({ tenantId, person, failed }: SignInFilter, { cursor, back }: KeysetPosition): Prisma.Sql {
  const parts = [Prisma.sql`s.tenant_id = ${tenantId}`];
  if (person !== null) parts.push(Prisma.sql`s.user_id = ${person}`);
  if (failed !== null) parts.push(Prisma.sql`(s.outcome <> 'signed_in') = ${failed}`);
  const direction = Prisma.raw(back ? 'ASC' : 'DESC');
  if (cursor !== null) {
    const { at, id } = parseKeyset(cursor, (one) => isId('sgn', one));
    parts.push(Prisma.sql`(s.at, s.id) ${Prisma.raw(back ? '>' : '<')} (${at}::timestamptz, ${id})`);
  }
  return Prisma.sql`
    SELECT s.id, s.at, s.user_id, u.name AS user_name, s.outcome, s.method, s.network, s.attempts
    FROM sign_ins s JOIN users u ON u.id = s.user_id
    WHERE ${Prisma.join(parts, ' AND ')}
    ORDER BY s.at ${direction}, s.id ${direction} LIMIT ${PAGE_SIZE + 1}::int`;
}

function cursorOf({ at, id }: SignInLine): string {
  return `${at.toISOString()}_${id}`;
}
