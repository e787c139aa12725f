import type { RefusalCode } from '@/lib/activity/audit/refused-calls';
import { pool } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { bind, nullable, param, sql, statement, whereSet } from '@/lib/platform/sql';
import { type KeysetPosition, type KeysetValues, keysetPage, keysetSql } from '@/lib/platform/text/keyset';

const PAGE_SIZE = 50;

/** A null field matches all refused calls. */
export type RefusedCallFilter = { tenantId: string; person: string | null; code: RefusalCode | null };

/** One person's calls of one procedure within one minute, with the same code. */
export type RefusedCallLine = {
  id: string;
  /** Of the latest call. */
  at: Date;
  user_id: string;
  user_name: string;
  /** Null for the calls of several procedures, if the person was refused too many procedures in this minute. */
  procedure: string | null;
  code: RefusalCode;
  calls: number;
};

const CONDITIONS = {
  tenantId: sql`r.tenant_id = ${param.text('tenantId')}`,
  person: sql`r.user_id = ${nullable(param.text('person'))}`,
  code: sql`r.code = ${nullable(param.text('code'))}`,
};

/** Returns a page of a tenant's refused calls, latest first. The cursor is that of `listSignIns`. */
export async function listRefusedCalls(filter: RefusedCallFilter, page: KeysetPosition) {
  const { beyond, order, values } = keysetSql(sql`r.at`, sql`r.id`, page, (id) => isId('rfc', id));
  const select = statement<RefusedCallLine>()`
    SELECT r.id, r.at, r.user_id, u.name AS user_name, r.procedure, r.code, r.calls
    FROM refused_calls r JOIN users u ON u.id = r.user_id
    WHERE ${whereSet<RefusedCallFilter, RefusedCallFilter & KeysetValues>(filter, CONDITIONS, beyond)}
    ORDER BY ${order} LIMIT ${PAGE_SIZE + 1}`;
  const { rows } = await pool().query<RefusedCallLine>(bind(select, { ...filter, ...values }));
  const { rows: lines, previous, next } = keysetPage(rows, page, PAGE_SIZE, cursorOf);
  return { lines, previous, next };
}

function cursorOf({ at, id }: RefusedCallLine): string {
  return `${at.toISOString()}_${id}`;
}
