import { isBookingReference } from '@/lib/platform/ids';
import { nullable, param, type Sql, sql, whereSet } from '@/lib/platform/sql';
import { reachedLocations } from '@/lib/platform/tenant-scope';
import { IN_REACH } from './statements';

export const STATUSES = ['confirmed', 'cancelled', 'completed', 'no_show'] as const;

/** `active` matches every booking that is not canceled. */
export const STATUS_FILTERS = [...STATUSES, 'active'] as const;

/** Relative to now. */
export const PERIODS = ['upcoming', 'past', 'all'] as const;

/** Local dates in the time zone of each booking, inclusive. */
export type Dates = { from: string | null; to: string | null };

/** A null field matches all bookings. */
export type BookingFilter = {
  tenantId: string;
  now: Date;
  period: (typeof PERIODS)[number] | Dates;
  status: (typeof STATUS_FILTERS)[number] | null;
  location_id: string | null;
  service_id: string | null;
  specialist_id: string | null;
  application_id: string | null;
  /** A complete booking reference, or a complete external reference in any letter case. */
  reference: string | null;
};

type Values = Omit<BookingFilter, 'period' | 'status'> & {
  dayBeforeNow: Date;
  from: string | null;
  afterFrom: Date | null;
  surelyAfterFrom: Date | null;
  to: string | null;
  beforeTo: Date | null;
  surelyBeforeTo: Date | null;
};

const DAY = 86_400_000;

// Not a parameter, so that PostgreSQL can estimate how many rows match.
const OF_STATUS = {
  confirmed: sql`b.status = 'confirmed'`,
  cancelled: sql`b.status = 'cancelled'`,
  completed: sql`b.status = 'completed'`,
  no_show: sql`b.status = 'no_show'`,
  active: sql`b.status <> 'cancelled'`,
};

// A booking in progress counts as upcoming. `starts_at` only lets PostgreSQL use the index: no appointment is longer
// than a day.
const OF_PERIOD = {
  all: sql`true`,
  upcoming: sql`b.starts_at > ${param.timestamptz('dayBeforeNow')} AND b.ends_at > ${param.timestamptz('now')}`,
  past: sql`b.ends_at <= ${param.timestamptz('now')} AND b.starts_at < ${param.timestamptz('now')}`,
};

// The first condition lets PostgreSQL use the index on the start. The second compares the stored local date near the
// limit.
const FROM_DATE = sql`b.starts_at >= ${nullable(param.timestamptz('afterFrom'))}
  AND (b.starts_at >= ${nullable(param.timestamptz('surelyAfterFrom'))} OR b.date >= ${nullable(param.date('from'))})`;
const TO_DATE = sql`b.starts_at < ${nullable(param.timestamptz('beforeTo'))}
  AND (b.starts_at < ${nullable(param.timestamptz('surelyBeforeTo'))} OR b.date <= ${nullable(param.date('to'))})`;

const REFERENCE = nullable(param.text('reference'));

const CONDITIONS = {
  tenantId: sql`b.tenant_id = ${param.text('tenantId')}`,
  status: (status: keyof typeof OF_STATUS) => OF_STATUS[status],
  location_id: sql`b.location_id = ${nullable(param.text('location_id'))}`,
  service_id: sql`b.service_id = ${nullable(param.text('service_id'))}`,
  specialist_id: sql`b.specialist_id = ${nullable(param.text('specialist_id'))}`,
  application_id: sql`b.application_id = ${nullable(param.text('application_id'))}`,
  reference: (reference: string) =>
    isBookingReference(reference)
      ? sql`b.reference = ${REFERENCE}`
      : sql`lower(b.external_reference) = lower(${REFERENCE})`,
  named: (period: keyof typeof OF_PERIOD) => OF_PERIOD[period],
  from: FROM_DATE,
  to: TO_DATE,
};

/** Returns the SQL conditions for the bookings `b` that match a filter, and their values. */
export function bookingConditions(filter: BookingFilter): { where: Sql<Values>; values: Values } {
  const { period, status, ...values } = filter;
  const named = typeof period === 'string' ? period : null;
  const dates = typeof period === 'string' ? { from: null, to: null } : period;
  const given = { ...values, ...dates, status, named };
  // Not without a limit, so that PostgreSQL can estimate how many rows match.
  const reach = reachedLocations() === null ? [] : [IN_REACH];
  const midnight = (date: string | null, days: number) =>
    date === null ? null : new Date(Date.parse(date) + days * DAY);
  return {
    where: whereSet<typeof given, Values>(given, CONDITIONS, reach),
    values: {
      ...values,
      ...dates,
      dayBeforeNow: new Date(filter.now.getTime() - DAY),
      afterFrom: midnight(dates.from, -1),
      surelyAfterFrom: midnight(dates.from, 1),
      beforeTo: midnight(dates.to, 2),
      surelyBeforeTo: midnight(dates.to, 0),
    },
  };
}
