import { AppError } from '@/lib/contract/errors/app-error';

/** The moments that PostgreSQL and JavaScript write alike: there is no year 0. */
const CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(.+)$/;

/**
 * Returns the moment and the id of the row that a page of a list goes on from, out of the cursor that an answer gave.
 * @throws AppError invalid_request `cursor_mismatch` for one that no answer gave.
 */
export function parseKeyset(cursor: string, isItsId: (id: string) => boolean): { at: string; id: string } {
  const [, at = '', id = ''] = CURSOR.exec(cursor) ?? [];
  const time = Date.parse(at);
  // 31 February is read as 3 March here, and refused there.
  if (Number.isNaN(time) || new Date(time).toISOString() !== at || !isItsId(id))
    throw new AppError('invalid_request', { reason: 'cursor_mismatch' });
  return { at, id };
}
