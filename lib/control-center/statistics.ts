import { bookingChoices } from '@/lib/booking/bookings/list-choices';
import { type BookingFilter, bookingConditions } from '@/lib/booking/bookings/list-filter';
import { bind, type Sql, sql, statement } from '@/lib/platform/sql';
import { boundedRead } from './bounded-read';
import type { Grouping } from './statistics-input';

/** Groups that are returned: those with the most bookings, or the first weeks. */
const MAX_GROUPS = 200;

const TIMEOUT_MS = 5_000;
const DAY = 86_400_000;

export type Money = { currency: string; amount: number };

type Figures = {
  /** With a start in the period, of every status. */
  bookings: number;
  /** Without canceled bookings. A booking has one seat. */
  seats: number;
  canceled: number;
  no_shows: number;
  /** The median of the hours between the booking and its start; null without bookings. */
  lead_hours: number | null;
  /** The prices that were stored with the confirmed and completed bookings, in minor units by currency. */
  revenue: Money[];
};

/** `key` is an id, the Monday of a week, or null for bookings of the business itself. */
export type Group = {
  key: string | null;
  name: string | null;
  figures: Figures;
  /** Of the group in the period before; of a week, those of the week before. */
  previous_bookings: number;
};

/** Local dates, inclusive. */
export type Dates = { from: string; to: string };

export type StatisticsFilter = Omit<BookingFilter, 'period' | 'status' | 'reference'> & { dates: Dates };

/** Returns the period of the same length directly before another one. */
export function periodBefore({ from, to }: Dates): Dates {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const text = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: text(first - (last - first) - DAY), to: text(first - DAY) };
}

/**
 * Returns the figures of the bookings with a start in a period, in total and by group, and those of the period before.
 * Returns null if a query timed out. `more` is the number of groups that are not returned.
 */
export async function bookingStatistics(filter: StatisticsFilter, by: Grouping) {
  const previous = periodBefore(filter.dates);
  const read = await boundedRead(TIMEOUT_MS, async (client) => {
    const now = await client.query<Row>(figuresSql(filter, filter.dates, by));
    const before = await client.query<Row>(figuresSql(filter, previous, by));
    return [now.rows, before.rows] as const;
  });
  if (read === null) return null;
  const [now, before] = read;
  const names = await namesOf(filter.tenantId, by);
  const earlier = new Map(
    [...before, ...(by === 'week' ? now : [])].filter(isGroup).map((row) => [row.key, row.bookings]),
  );
  const revenue = revenueByKey(now);
  const groups = now
    .filter(isGroup)
    .sort((one, other) => (by === 'week' ? compare(one.key ?? '', other.key ?? '') : other.bookings - one.bookings))
    .map((row) => ({
      key: row.key,
      name: row.key === null ? null : (names.get(row.key) ?? row.key),
      figures: figuresOf(row, revenue.get(row.key) ?? []),
      previous_bookings: earlier.get(by === 'week' && row.key !== null ? weekBefore(row.key) : row.key) ?? 0,
    }));
  return {
    previous,
    totals: totalsOf(now),
    previous_totals: totalsOf(before),
    groups: groups.slice(0, MAX_GROUPS),
    more: Math.max(0, groups.length - MAX_GROUPS),
  };
}

const weekBefore = (monday: string) => new Date(Date.parse(monday) - 7 * DAY).toISOString().slice(0, 10);

type Row = {
  key: string | null;
  currency: string | null;
  /** Whether the row is for all keys, and for all currencies. */
  all_keys: boolean;
  all_currencies: boolean;
  bookings: number;
  canceled: number;
  no_shows: number;
  lead_hours: number | null;
  revenue: string | null;
};

const isGroup = (row: Row) => !row.all_keys && row.all_currencies;
const compare = (one: string, other: string) => (one < other ? -1 : 1);

const KEYS: Record<Grouping, Sql<object>> = {
  service: sql`b.service_id`,
  specialist: sql`b.specialist_id`,
  location: sql`b.location_id`,
  application: sql`b.application_id`,
  week: sql`to_char(date_trunc('week', b.date::timestamp), 'YYYY-MM-DD')`,
};

function figuresSql({ dates: _, ...filter }: StatisticsFilter, dates: Dates, by: Grouping) {
  const { where, values } = bookingConditions({ ...filter, period: dates, status: null, reference: null });
  const select = statement<Row>()`
    SELECT b.key, b.price_currency AS currency, GROUPING(b.key) = 1 AS all_keys,
      GROUPING(b.price_currency) = 1 AS all_currencies, count(*)::int AS bookings,
      (count(*) FILTER (WHERE b.status = 'cancelled'))::int AS canceled,
      (count(*) FILTER (WHERE b.status = 'no_show'))::int AS no_shows,
      percentile_disc(0.5) WITHIN GROUP (ORDER BY round(b.lead))::int AS lead_hours,
      sum(b.price_amount::bigint) FILTER (WHERE b.status IN ('confirmed', 'completed')) AS revenue
    FROM (SELECT ${KEYS[by]} AS key, b.status, b.price_amount, b.price_currency,
        greatest(0, extract(epoch FROM b.starts_at - b.created_at) / 3600) AS lead
      FROM bookings b WHERE ${where}) b
    GROUP BY GROUPING SETS ((), (b.key), (b.price_currency), (b.key, b.price_currency))`;
  return bind(select, values);
}

function figuresOf(row: Row | undefined, revenue: Money[]): Figures {
  const { bookings = 0, canceled = 0, no_shows = 0, lead_hours = null } = row ?? {};
  return { bookings, seats: bookings - canceled, canceled, no_shows, lead_hours, revenue };
}

function totalsOf(rows: readonly Row[]): Figures {
  const total = rows.find((row) => row.all_keys && row.all_currencies);
  return figuresOf(
    total,
    rows.flatMap((row) => (row.all_keys ? moneyOf(row) : [])),
  );
}

function revenueByKey(rows: readonly Row[]): Map<string | null, Money[]> {
  const found = new Map<string | null, Money[]>();
  for (const row of rows) {
    if (row.all_keys) continue;
    found.set(row.key, [...(found.get(row.key) ?? []), ...moneyOf(row)]);
  }
  return found;
}

function moneyOf({ all_currencies, currency, revenue }: Row): Money[] {
  return all_currencies || currency === null || revenue === null ? [] : [{ currency, amount: Number(revenue) }];
}

async function namesOf(tenantId: string, by: Grouping): Promise<ReadonlyMap<string, string>> {
  if (by === 'week') return new Map();
  const choices = await bookingChoices(tenantId);
  return new Map(choices[`${by}s`].map(({ id, name }) => [id, name]));
}
