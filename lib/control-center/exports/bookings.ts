import { cursorOf, listSql, type Page } from '@/lib/booking/bookings/list';
import type { BookingFilter } from '@/lib/booking/bookings/list-filter';
import type { SummaryRow } from '@/lib/booking/bookings/summary';
import { bookingTimes } from '@/lib/booking/local-times';
import { decimalText } from '@/lib/contract/currencies';
import { pool } from '@/lib/platform/db';
import { keysetPage } from '@/lib/platform/text/keyset';
import type { Column } from './csv';

const PAGE = 500;

type ExportedBooking = SummaryRow & { times: ReturnType<typeof bookingTimes> };

/** Without contacts, notes, and metadata. Times are in the time zone of the booking. */
export const BOOKING_COLUMNS: readonly Column<ExportedBooking>[] = [
  ['reference', (row) => row.reference],
  ['external_reference', (row) => row.external_reference],
  ['status', (row) => row.status],
  ['date', ({ times }) => times.date],
  ['start_time', ({ times }) => times.start_time],
  ['end_time', ({ times }) => times.end_time],
  ['time_zone', (row) => row.time_zone],
  ['starts_at_utc', (row) => row.starts_at.toISOString()],
  ['service', (row) => row.service_name],
  ['specialist', (row) => row.specialist_name],
  ['location', (row) => row.location_name],
  ['partner', (row) => row.application_name],
  [
    'price',
    ({ price_amount: amount, price_currency: currency }) =>
      amount === null || currency === null ? null : decimalText(amount, currency),
  ],
  ['currency', (row) => row.price_currency],
  ['created_at_utc', (row) => row.created_at.toISOString()],
  ['canceled_at_utc', (row) => row.cancelled_at?.toISOString() ?? null],
];

/** Yields all bookings that match a filter, page by page, by start. */
export async function* bookingPages(filter: BookingFilter): AsyncGenerator<readonly ExportedBooking[]> {
  let cursor: string | null = null;
  do {
    const page: Page = { sort: 'starts_at', direction: 'asc', cursor, back: false };
    const { rows }: { rows: SummaryRow[] } = await pool().query<SummaryRow>(listSql(filter, page, PAGE));
    const { rows: shown, next } = keysetPage(rows, page, PAGE, (row) => cursorOf(row, page));
    yield shown.map((row) => ({ ...row, times: bookingTimes(row) }));
    cursor = next;
  } while (cursor !== null);
}
