import type pg from 'pg';
import { pool } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import { bind, join, sql, statement } from '@/lib/platform/sql';
import { keysetPage, keysetSql } from '@/lib/platform/text/keyset';
import { type BookingFilter, bookingConditions } from './list-filter';
import { type BookingSummary, type SummaryRow, summariesSql, summaryOf } from './summary';

const PAGE_SIZE = 50;

export const SORTS = ['starts_at', 'created_at'] as const;

/** `back`: before the cursor. */
export type Page = {
  sort: (typeof SORTS)[number];
  direction: 'asc' | 'desc';
  cursor: string | null;
  back: boolean;
};

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
  const select = statement<SummaryRow>()`${summariesSql({
    where: sql`${where} ${after}`,
    order: keyset.order,
    limit: size + 1,
  })}`;
  return bind(select, { ...values, ...keyset.values });
}

/** Returns the cursor of a row. */
export function cursorOf(row: SummaryRow, { sort }: Pick<Page, 'sort'>): string {
  return `${row[sort].toISOString()}_${row.reference}`;
}
