import { isBookingReference } from '@/lib/platform/ids';

/** Every state of a booking. */
export const STATUSES = ['confirmed', 'cancelled', 'completed', 'no_show'] as const;

/** Every stretch of time that is told from now. */
export const PERIODS = ['upcoming', 'past', 'all'] as const;

/** Local dates, in each location's own zone, both inclusive; null is open. */
export type Dates = { from: string | null; to: string | null };

/** What the bookings of a tenant are narrowed to. Null means any. */
export type BookingFilter = {
  tenantId: string;
  now: Date;
  period: (typeof PERIODS)[number] | Dates;
  status: (typeof STATUSES)[number] | null;
  locationId: string | null;
  serviceId: string | null;
  specialistId: string | null;
  applicationId: string | null;
  /** A booking reference or an external reference, whole. */
  reference: string | null;
};

/** A piece of SQL with its values. */
export type Conditions = { sql: string; values: unknown[] };

const DAY = 86_400_000;

/**
 * Returns the conditions of a filter. Only what is asked for is in the text, so that the planner sees which index fits:
 * there is one of (tenant, X, start) for each X.
 */
export function conditionsOf(filter: BookingFilter): Conditions {
  const values: unknown[] = [filter.tenantId];
  const parts = ['tenant_id = $1'];
  const place = (value: unknown) => `$${values.push(value)}`;
  const add = (column: string, value: string | null) => {
    if (value !== null) parts.push(`${column} = ${place(value)}`);
  };
  // A word of ours, written out: the index is partial, and the planner must see that it covers it.
  if (filter.status !== null) parts.push(`status = '${filter.status}'`);
  add('location_id', filter.locationId);
  add('service_id', filter.serviceId);
  add('specialist_id', filter.specialistId);
  add('application_id', filter.applicationId);
  if (filter.reference !== null)
    add(isBookingReference(filter.reference) ? 'reference' : 'external_reference', filter.reference);
  parts.push(...timeConditions(filter, place));
  return { sql: parts.join(' AND '), values };
}

/** What is under way is upcoming. No appointment is longer than a day, so the index narrows by the start. */
function timeConditions({ period, now }: BookingFilter, place: (value: unknown) => string): string[] {
  if (period === 'all') return [];
  if (period === 'upcoming') {
    return [`starts_at > ${place(new Date(now.getTime() - DAY))}`, `ends_at > ${place(now)}`];
  }
  if (period === 'past') return [`ends_at <= ${place(now)}`, `starts_at < ${place(now)}`];
  return dateConditions(period, place);
}

// Which date it is depends on the row's zone, which is never more than a day from UTC: the first comparison is the one
// that the index knows, and only the rows near the edge are asked for their zone. The planner cannot guess how many rows
// have a date; asked for it of every row, it would expect a handful and read all that there are.
function dateConditions({ from, to }: Dates, place: (value: unknown) => string): string[] {
  const local = '(starts_at AT TIME ZONE time_zone)::date';
  const midnight = (date: string, days: number) => place(new Date(Date.parse(date) + days * DAY));
  const parts: string[] = [];
  if (from !== null) {
    parts.push(`starts_at >= ${midnight(from, -1)}`);
    parts.push(`(starts_at >= ${midnight(from, 1)} OR ${local} >= ${place(from)}::date)`);
  }
  if (to !== null) {
    parts.push(`starts_at < ${midnight(to, 2)}`);
    parts.push(`(starts_at < ${midnight(to, 0)} OR ${local} <= ${place(to)}::date)`);
  }
  return parts;
}
