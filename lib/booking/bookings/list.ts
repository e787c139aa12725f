import { pool } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import { parseKeyset } from '@/lib/platform/text/keyset';
import { bookingTimes } from '../availability';
import { type BookingFilter, conditionsOf } from './list-filter';
import { NAMES_SQL, type Named, type Names, namesOf } from './names';
import type { BookingRow } from './row';

/** Bookings of one page. */
const PAGE_SIZE = 50;

/** What the list can be sorted by. */
export const SORTS = ['starts_at', 'created_at'] as const;

/** Which page: in which order, from where on, and whether to go back from there. */
export type Page = {
  sort: (typeof SORTS)[number];
  direction: 'asc' | 'desc';
  cursor: string | null;
  back: boolean;
};

/** One booking of the list; no contact. */
export type BookingSummary = ReturnType<typeof bookingTimes> &
  Pick<BookingRow, 'reference' | 'status' | 'version' | 'external_reference' | 'created_at'> &
  Record<'service' | 'specialist' | 'location' | 'application', Named>;

const COLUMNS = `reference, tenant_id, status, version, service_id, location_id, specialist_id, application_id, starts_at,
  ends_at, time_zone, external_reference, created_at`;

type Row = BookingRow & Names;

/**
 * Returns one page of a tenant's bookings, and where the neighbouring pages begin. A page of any one filter is read
 * from an index in the order of the list, among 1,000,000 bookings too; it goes on from a (time, reference), never from
 * an offset.
 * @throws AppError invalid_request for a cursor that is none.
 */
export async function listBookings(
  filter: BookingFilter,
  page: Page,
): Promise<{ bookings: BookingSummary[]; previous: string | null; next: string | null }> {
  const { rows } = await pool().query<Row>(listSql(filter, page));
  const more = rows.length > PAGE_SIZE;
  const shown = rows.slice(0, PAGE_SIZE);
  if (page.back) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  // Coming back there is always the page one came from; going on, the page one left.
  const hasPrevious = page.back ? more : page.cursor !== null;
  const hasNext = page.back || more;
  return {
    bookings: shown.map(summaryOf),
    previous: hasPrevious && first ? cursorOf(first, page) : null,
    next: hasNext && last ? cursorOf(last, page) : null,
  };
}

/** Returns the statement of a page; exported for the test that asks PostgreSQL which index it uses. */
export function listSql(filter: BookingFilter, page: Page): { text: string; values: unknown[] } {
  const { sql, values } = conditionsOf(filter);
  const add = (value: unknown) => `$${values.push(value)}`;
  const { sort } = page;
  const rising = (page.direction === 'asc') !== page.back;
  const direction = rising ? 'ASC' : 'DESC';
  const from: string[] = [];
  if (page.cursor !== null) {
    const { at, id } = parseKeyset(page.cursor, isBookingReference);
    const moment = `${add(at)}::timestamptz`;
    // The first comparison is the one that the index knows.
    from.push(`${sort} ${rising ? '>=' : '<='} ${moment}`);
    from.push(`(${sort}, reference) ${rising ? '>' : '<'} (${moment}, ${add(id)})`);
  }
  const order = (of: string) => `ORDER BY ${of}${sort} ${direction}, ${of}reference ${direction}`;
  const text = `
    SELECT b.*, ${NAMES_SQL.columns}
    FROM (SELECT ${COLUMNS} FROM bookings WHERE ${[sql, ...from].join(' AND ')} ${order('')} LIMIT ${PAGE_SIZE + 1}) b
      ${NAMES_SQL.joins}
    ${order('b.')}`;
  return { text, values };
}

function summaryOf(row: Row): BookingSummary {
  const { reference, status, version, external_reference, created_at } = row;
  return { reference, status, version, external_reference, created_at, ...bookingTimes(row), ...namesOf(row) };
}

function cursorOf(row: Row, { sort }: Page): string {
  return `${row[sort].toISOString()}_${row.reference}`;
}
