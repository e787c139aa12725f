import type pg from 'pg';
import { pool } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import { bind, join, sql, statement } from '@/lib/platform/sql';
import { keysetPage, keysetSql } from '@/lib/platform/text/keyset';
import { bookingTimes } from '../availability';
import { LOCAL_COLUMNS } from '../local-columns';
import { type BookingFilter, bookingConditions } from './list-filter';
import { type BookingNames, NAMES_SQL, type Names, namesOf } from './names';
import type { BookingRow } from './row';
import { type BookingTerms, TERMS_COLUMNS, type TermsRow, termsOf } from './terms';

const PAGE_SIZE = 50;

export const SORTS = ['starts_at', 'created_at'] as const;

/** `back`: before the cursor. */
export type Page = {
  sort: (typeof SORTS)[number];
  direction: 'asc' | 'desc';
  cursor: string | null;
  back: boolean;
};

/** Without the customer's contact details. */
export type BookingSummary = ReturnType<typeof bookingTimes> &
  Pick<BookingRow, 'reference' | 'status' | 'version' | 'external_reference' | 'created_at'> &
  BookingNames &
  BookingTerms;

export const BOOKING_SUMMARY_COLUMNS = sql`${LOCAL_COLUMNS}, b.reference, b.tenant_id, b.status, b.version, b.service_id, b.location_id, b.specialist_id,
  b.application_id, b.starts_at, b.ends_at, b.time_zone, b.external_reference, b.created_at, b.cancelled_at, ${TERMS_COLUMNS}`;

export type SummaryRow = BookingRow & Names & TermsRow;

/**
 * Returns one page of a tenant's bookings, with the cursors of its neighbors. A cursor is a time and a reference, so
 * late pages are as fast as early ones. Sorted by start and filtered by at most one column, the rows come sorted from
 * an index.
 * @throws AppError invalid_request for a malformed cursor.
 */
export async function listBookings(
  filter: BookingFilter,
  page: Page,
): Promise<{ bookings: BookingSummary[]; previous: string | null; next: string | null }> {
  const { rows } = await pool().query<SummaryRow>(listSql(filter, page));
  const { rows: shown, previous, next } = keysetPage(rows, page, PAGE_SIZE, (row) => cursorOf(row, page));
  return { bookings: shown.map(summaryOf), previous, next };
}

const SORT_COLUMN = { starts_at: sql`b.starts_at`, created_at: sql`b.created_at` };

/** Returns the SQL of one page. A test checks which index PostgreSQL uses. */
export function listSql(filter: BookingFilter, page: Page, size = PAGE_SIZE): pg.QueryConfig<unknown[]> {
  const { where, values } = bookingConditions(filter);
  const column = SORT_COLUMN[page.sort];
  const keyset = keysetSql(column, sql`b.reference`, page, isBookingReference, page.direction);
  const after = join(
    keyset.beyond.map((beyond) => sql`AND ${beyond}`),
    '',
  );
  const select = statement<SummaryRow>()`
    SELECT b.*, ${NAMES_SQL.columns}
    FROM (SELECT ${BOOKING_SUMMARY_COLUMNS} FROM bookings b WHERE ${where} ${after}
      ORDER BY ${keyset.order} LIMIT ${size + 1}) b
      ${NAMES_SQL.joins}
    ORDER BY ${keyset.order}`;
  return bind(select, { ...values, ...keyset.values });
}

/** Converts a row to a booking as the list returns it. */
export function summaryOf(row: SummaryRow): BookingSummary {
  const { reference, status, version, external_reference, created_at } = row;
  const shown = { reference, status, version, external_reference, created_at };
  return { ...shown, ...bookingTimes(row), ...namesOf(row), ...termsOf(row) };
}

/** Returns the cursor of a row. */
export function cursorOf(row: SummaryRow, { sort }: Pick<Page, 'sort'>): string {
  return `${row[sort].toISOString()}_${row.reference}`;
}
