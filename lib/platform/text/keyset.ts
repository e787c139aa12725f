import { AppError } from '@/lib/contract/errors/app-error';
import { nullable, param, type Sql, sql } from '../sql';

/** PostgreSQL rejects the year 0. */
const CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(.+)$/;

/** Parses a page's cursor: a timestamp and an id. @throws AppError invalid_request (reason `cursor_mismatch`). */
export function parseKeyset(cursor: string, isItsId: (id: string) => boolean): { at: string; id: string } {
  const [, at = '', id = ''] = CURSOR.exec(cursor) ?? [];
  const time = Date.parse(at);
  // PostgreSQL rejects dates that do not exist, and `Date.parse` reads February 31 as March 3.
  if (Number.isNaN(time) || new Date(time).toISOString() !== at || !isItsId(id))
    throw new AppError('invalid_request', { reason: 'cursor_mismatch' });
  return { at, id };
}

/** `cursor` identifies the row just before the page, or just after it if `back` is true. Null for the first page. */
export type KeysetPosition = { cursor: string | null; back: boolean };

const AT = nullable(param.timestamptzText('cursorAt'));
const ID = nullable(param.text('cursorId'));

/** The values of the parameters in `keysetSql`. */
export type KeysetValues = { cursorAt: string | null; cursorId: string | null };

/**
 * Returns the SQL of a page of rows that are ordered by a time and an id: the condition on the cursor, if there is one,
 * and the order in which the rows are read.
 * @throws AppError as `parseKeyset`.
 */
export function keysetSql(
  at: Sql<object>,
  id: Sql<object>,
  { cursor, back }: KeysetPosition,
  isItsId: (id: string) => boolean,
  direction: 'asc' | 'desc' = 'desc',
): { beyond: Sql<KeysetValues>[]; order: Sql<object>; values: KeysetValues } {
  const position = cursor === null ? null : parseKeyset(cursor, isItsId);
  const isAscending = (direction === 'asc') !== back;
  // The second comparison implies the first one, but only the first one lets PostgreSQL use the index.
  const beyond = isAscending
    ? sql`${at} >= ${AT} AND (${at}, ${id}) > (${AT}, ${ID})`
    : sql`${at} <= ${AT} AND (${at}, ${id}) < (${AT}, ${ID})`;
  return {
    beyond: position === null ? [] : [beyond],
    order: isAscending ? sql`${at} ASC, ${id} ASC` : sql`${at} DESC, ${id} DESC`,
    values: { cursorAt: position?.at ?? null, cursorId: position?.id ?? null },
  };
}

/**
 * Returns the rows of a page in their final order, and the cursors of its neighbors. `found`: the rows nearest to the
 * cursor first, with one more than `size` if there is a further page.
 */
export function keysetPage<Row>(
  found: readonly Row[],
  { cursor, back }: KeysetPosition,
  size: number,
  cursorOf: (row: Row) => string,
): { rows: Row[]; previous: string | null; next: string | null } {
  const more = found.length > size;
  const rows = found.slice(0, size);
  if (back) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  // The cursor's row is on the next page if `back` is true, otherwise on the previous one.
  const hasPrevious = back ? more : cursor !== null;
  const hasNext = back || more;
  return {
    rows,
    previous: hasPrevious && first ? cursorOf(first) : null,
    next: hasNext && last ? cursorOf(last) : null,
  };
}
