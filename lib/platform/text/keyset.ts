import { AppError } from '@/lib/contract/errors/app-error';

/** Matches a timestamp, an underscore, and an id. The year 0 does not match, because PostgreSQL rejects it. */
const CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(.+)$/;

/**
 * Parses the cursor of a page. It contains the timestamp and the id of the row just before or just after the page.
 * @param isItsId returns whether a string has the format of the row's id.
 * @throws AppError invalid_request (reason `cursor_mismatch`) if the cursor is malformed.
 */
export function parseKeyset(cursor: string, isItsId: (id: string) => boolean): { at: string; id: string } {
  const [, at = '', id = ''] = CURSOR.exec(cursor) ?? [];
  const time = Date.parse(at);
  // Refuses dates that do not exist, because PostgreSQL rejects them. `Date.parse` reads February 31 as March 3.
  if (Number.isNaN(time) || new Date(time).toISOString() !== at || !isItsId(id))
    throw new AppError('invalid_request', { reason: 'cursor_mismatch' });
  return { at, id };
}

/**
 * Selects a page of a list. `cursor` identifies the row just before the page, or just after it if `back` is true. For
 * the first page, `cursor` is null.
 */
export type KeysetPosition = { cursor: string | null; back: boolean };

/**
 * Returns the rows of a page in their final order, and the cursors of the previous and the next page.
 * @param found the rows that were read, nearest to the cursor first. If there is one row more than `size`, there is
 * a further page.
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
  // The cursor's row is on a page next to this page, so that page exists. If `back` is true, it is the next page.
  // Otherwise, it is the previous page.
  const hasPrevious = back ? more : cursor !== null;
  const hasNext = back || more;
  return {
    rows,
    previous: hasPrevious && first ? cursorOf(first) : null,
    next: hasNext && last ? cursorOf(last) : null,
  };
}
