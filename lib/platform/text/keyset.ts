import { AppError } from '@/lib/contract/errors/app-error';

/**
 * Matches a timestamp, an underscore, and an id. The timestamp has the format that both PostgreSQL and JavaScript use.
 * The year 0 is excluded, because PostgreSQL rejects it.
 */
const CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(.+)$/;

/**
 * Parses a keyset cursor: the timestamp and the id of the last row on the previous page.
 * @param isItsId returns whether a string has the format of the row's id.
 * @throws AppError invalid_request (reason `cursor_mismatch`) if the cursor is malformed.
 */
export function parseKeyset(cursor: string, isItsId: (id: string) => boolean): { at: string; id: string } {
  const [, at = '', id = ''] = CURSOR.exec(cursor) ?? [];
  const time = Date.parse(at);
  // `Date.parse` reads February 31 as March 3, but PostgreSQL rejects February 31.
  if (Number.isNaN(time) || new Date(time).toISOString() !== at || !isItsId(id))
    throw new AppError('invalid_request', { reason: 'cursor_mismatch' });
  return { at, id };
}
