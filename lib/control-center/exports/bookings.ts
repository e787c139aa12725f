import { bookingTimes } from '@/lib/booking/availability';
import { BOOKING_SUMMARY_COLUMNS } from '@/lib/booking/bookings/list';
import { type BookingFilter, bookingConditions } from '@/lib/booking/bookings/list-filter';
import { NAMES_SQL, type Names } from '@/lib/booking/bookings/names';
import type { BookingRow } from '@/lib/booking/bookings/row';
import { decimalText } from '@/lib/contract/currencies';
import { pool } from '@/lib/platform/db';
import { bind, nullable, param, sql, statement } from '@/lib/platform/sql';
import type { Column } from './csv';

const PAGE = 500;

type Row = BookingRow & Names;

type ExportedBooking = Row & { times: ReturnType<typeof bookingTimes> };

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

const AFTER = { at: nullable(param.timestamptz('afterAt')), reference: nullable(param.text('afterReference')) };

/** Yields all bookings that match a filter, page by page, by start. */
export async function* bookingPages(filter: BookingFilter): AsyncGenerator<readonly ExportedBooking[]> {
  const { where, values } = bookingConditions(filter);
  let last: Row | undefined;
  do {
    const after = last
      ? sql`AND b.starts_at >= ${AFTER.at} AND (b.starts_at, b.reference) > (${AFTER.at}, ${AFTER.reference})`
      : sql``;
    const select = statement<Row>()`
      SELECT b.*, ${NAMES_SQL.columns}
      FROM (SELECT ${BOOKING_SUMMARY_COLUMNS}, b.cancelled_at FROM bookings b WHERE ${where} ${after}
        ORDER BY b.starts_at, b.reference LIMIT ${PAGE}) b
        ${NAMES_SQL.joins}
      ORDER BY b.starts_at, b.reference`;
    const bound = bind(select, {
      ...values,
      afterAt: last?.starts_at ?? null,
      afterReference: last?.reference ?? null,
    });
    const { rows } = await pool().query<Row>(bound);
    yield rows.map((row) => ({ ...row, times: bookingTimes(row) }));
    last = rows.length === PAGE ? rows.at(-1) : undefined;
  } while (last);
}
