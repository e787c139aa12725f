import { type Sql, sql } from '@/lib/platform/sql';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import { bookingTimes, LOCAL_COLUMNS } from '../local-times';
import { type BookingRow, changeDeadline, priceOf } from './booking';

export type Named = { id: string; name: string };

export type Names = {
  service_name: string;
  specialist_name: string;
  location_name: string;
  application_name: string | null;
};

/** SQL that adds the names of the referenced records to a query of bookings `b`, in the tenant's default language. */
export const NAMES_SQL = {
  columns: sql`coalesce(s.name->>t.default_locale, s.id) AS service_name, p.display_name AS specialist_name,
    coalesce(l.name->>t.default_locale, l.city) AS location_name, a.name AS application_name`,
  joins: sql`JOIN tenants t ON t.id = b.tenant_id
      JOIN services s ON s.id = b.service_id
      JOIN specialists p ON p.id = b.specialist_id
      JOIN locations l ON l.id = b.location_id
      LEFT JOIN applications a ON a.id = b.application_id`,
};

type Ids = Pick<BookingRow, 'service_id' | 'specialist_id' | 'location_id' | 'application_id'>;

/** The records that a booking refers to. `application` is null for a booking of the business. */
export type BookingNames = Record<'service' | 'specialist' | 'location', Named> & { application: Named | null };

/** Returns the records that a booking refers to, with their names. */
export function namesOf(row: Ids & Names): BookingNames {
  return {
    service: { id: row.service_id, name: row.service_name },
    specialist: { id: row.specialist_id, name: row.specialist_name },
    location: { id: row.location_id, name: row.location_name },
    application: row.application_id === null ? null : { id: row.application_id, name: row.application_name ?? '' },
  };
}

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

/** Without the customer's contact details. */
export type BookingSummary = ReturnType<typeof bookingTimes> &
  Pick<BookingRow, 'reference' | 'status' | 'version' | 'external_reference' | 'created_at'> &
  BookingNames &
  BookingTerms;

export const SUMMARY_COLUMNS = sql`${LOCAL_COLUMNS}, b.reference, b.tenant_id, b.status, b.version, b.service_id, b.location_id, b.specialist_id,
  b.application_id, b.starts_at, b.ends_at, b.time_zone, b.external_reference, b.created_at, b.cancelled_at, ${TERMS_COLUMNS}`;

export type SummaryRow = BookingRow & Names & TermsRow;

/** Returns the SQL of the first `limit` bookings `b`, with the names of their records: those are read after the limit. */
export function summariesSql<Where, Order>(of: {
  where: Sql<Where>;
  order: Sql<Order>;
  limit: number;
  columns?: Sql<object>;
}): Sql<Where & Order> {
  const { where, order, limit, columns = SUMMARY_COLUMNS } = of;
  const { chunks } = sql`
    SELECT b.*, ${NAMES_SQL.columns}
    FROM (SELECT ${columns} FROM bookings b WHERE ${where} ORDER BY ${order} LIMIT ${limit}) b
      ${NAMES_SQL.joins}
    ORDER BY ${order}`;
  return { chunks };
}

/** Converts a row to a booking as lists return it. */
export function summaryOf(row: SummaryRow): BookingSummary {
  const { reference, status, version, external_reference, created_at } = row;
  const shown = { reference, status, version, external_reference, created_at };
  return { ...shown, ...bookingTimes(row), ...namesOf(row), ...termsOf(row) };
}
