import { sql } from '@/lib/platform/sql';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import { type BookingRow, changeDeadline, priceOf } from './row';

/** Of a booking `b`, for `termsOf`. */
export const TERMS_COLUMNS = sql`b.price_amount, b.price_currency, b.cancellation_cutoff_minutes, b.note IS NOT NULL AS has_note`;

/** What lists and schedules show about a booking besides its time. They never contain the note itself. */
export type BookingTerms = {
  /** Of a seat when the booking was made. Null if none is known. */
  price: { amount: number; currency: string } | null;
  /**
   * The last time at which the partner can change the booking, in the time zone of the booking, with its offset. Null in a
   * final state, and for a booking of the business.
   */
  change_deadline: string | null;
  has_note: boolean;
};

/** The columns that `termsOf` reads. */
export type TermsRow = Pick<
  BookingRow,
  | 'status'
  | 'application_id'
  | 'starts_at'
  | 'time_zone'
  | 'cancellation_cutoff_minutes'
  | 'price_amount'
  | 'price_currency'
> & { has_note: boolean };

/** Returns the price, the partner's deadline for changes, and whether there is a note. */
export function termsOf(row: TermsRow): BookingTerms {
  const deadline = row.status === 'confirmed' && row.application_id !== null ? changeDeadline(row) : null;
  return {
    price: priceOf(row),
    change_deadline: deadline && localTimestamp(storedZone(row.time_zone), deadline),
    has_note: row.has_note,
  };
}
