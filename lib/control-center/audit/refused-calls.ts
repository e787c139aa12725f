import type { RefusalCode } from '@/lib/activity/audit/refused-calls';
import { pool } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { isId } from '@/lib/platform/ids';
import { type KeysetPosition, keysetPage, parseKeyset } from '@/lib/platform/text/keyset';

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

export type RefusedCallPage = { lines: RefusedCallLine[]; previous: string | null; next: string | null };

/** Returns a page of a tenant's refused calls, latest first. The cursor is that of `listSignIns`. */
export async function listRefusedCalls(
  { tenantId, person, code }: RefusedCallFilter,
  page: KeysetPosition,
): Promise<RefusedCallPage> {
  const parts = [Prisma.sql`r.tenant_id = ${tenantId}`];
  if (person !== null) parts.push(Prisma.sql`r.user_id = ${person}`);
  if (code !== null) parts.push(Prisma.sql`r.code = ${code}`);
  const direction = Prisma.raw(page.back ? 'ASC' : 'DESC');
  if (page.cursor !== null) {
    const { at, id } = parseKeyset(page.cursor, (one) => isId('rfc', one));
    parts.push(Prisma.sql`(r.at, r.id) ${Prisma.raw(page.back ? '>' : '<')} (${at}::timestamptz, ${id})`);
  }
  const { rows } = await pool().query<RefusedCallLine>(Prisma.sql`
    SELECT r.id, r.at, r.user_id, u.name AS user_name, r.procedure, r.code, r.calls
    FROM refused_calls r JOIN users u ON u.id = r.user_id
    WHERE ${Prisma.join(parts, ' AND ')}
    ORDER BY r.at ${direction}, r.id ${direction} LIMIT ${PAGE_SIZE + 1}::int`);
  const { rows: lines, previous, next } = keysetPage(rows, page, PAGE_SIZE, cursorOf);
  return { lines, previous, next };
}

function cursorOf({ at, id }: RefusedCallLine): string {
  return `${at.toISOString()}_${id}`;
}
