import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Policy } from '@/lib/access/applications/policy';
import type { BookingRecord } from '@/lib/contract/bookings';
import { pool } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import { bind } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import { keysetPage, parseKeyset } from '@/lib/platform/text/keyset';
import { readInTurn } from '../read-turns';
import { type BookingRow, bookingRecord } from './booking';
import { permitted } from './find';
import { FIND_BY_EXTERNAL_REFERENCE } from './statements';

/** `after` is the position at the end of the previous page. */
type ReferencePage = { externalReference: string; limit: number; after: string | null };

/** Before the newest booking. */
const START = { at: 'infinity', id: '' };

/** Bookings that are decrypted in one turn of the event loop, in up to a millisecond. */
const AT_ONCE = 25;

/**
 * Returns a page of the calling application's bookings with an external reference, newest first, and the position after
 * it, or null (contract B12).
 * @throws AppError credential_restricted (reason `location`) if the policy no longer allows the location of a booking
 * on the page. If it were left out instead, it would seem not to exist.
 */
export async function listByReference(
  policy: Policy,
  { externalReference, limit, after }: ReferencePage,
  now: Date,
): Promise<{ bookings: BookingRecord[]; next: string | null }> {
  const { at, id } = after === null ? START : parseKeyset(after, isBookingReference);
  const { tenantId, applicationId } = policy;
  const values = { tenantId, applicationId, externalReference, at, reference: id, rows: limit + 1 };
  const query = bind(FIND_BY_EXTERNAL_REFERENCE, values);
  return readInTurn('bookings', policy, async () => {
    const { rows } = await inTenant(tenantId, () => pool().query<BookingRow>(query));
    const page = keysetPage(rows, { cursor: after, back: false }, limit, positionOf);
    return { bookings: await bookingRecords(policy, page.rows, now), next: page.next };
  });
}

/** Returns a page of bookings as the partner sees them. @throws AppError credential_restricted, as `listByReference`. */
export async function bookingRecords(policy: Policy, rows: readonly BookingRow[], now: Date): Promise<BookingRecord[]> {
  const bookings: BookingRecord[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await nextTurn();
    bookings.push(bookingRecord(permitted(policy, row), now));
  }
  return bookings;
}

function positionOf({ created_at: createdAt, reference }: BookingRow): string {
  return `${createdAt.toISOString()}_${reference}`;
}
