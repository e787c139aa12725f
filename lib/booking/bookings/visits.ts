import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { isBookingReference } from '@/lib/platform/ids';
import { bind, param, sql, statement } from '@/lib/platform/sql';
import { formatDay, formatInstant, parseDay, storedZone } from '@/lib/platform/time-zones';
import { bookingConditions } from './list-filter';
import { changeByOwner } from './owner-change';
import { IN_REACH } from './statements';
import { type BookingSummary, type SummaryRow, summariesSql, summaryOf } from './summary';

const MAX_VISITS = 500;

/** Maximum number of bookings that one call changes: each is a transaction. */
export const MAX_CHANGED = 50;

const ZONE_OF_TENANT = statement<{ time_zone: string }>('visits-zone')`
  SELECT time_zone FROM tenants WHERE id = ${param.text('tenantId')}`;

/** The confirmed bookings of a local date that have ended, in the order of their start. */
type Visits = { date: string; bookings: BookingSummary[]; truncated: boolean };

/**
 * Returns the visits of a date that can be completed, in the time zone of each booking. Without a date, that of yesterday in
 * the time zone of the business.
 * @throws AppError not_found
 */
export async function visitsToComplete(
  now: Date,
  tenantId: string,
  { date, locationId }: { date: string | null; locationId: string | null },
): Promise<Visits> {
  const day = date ?? (await yesterdayOf(now, tenantId));
  const rest = { service_id: null, specialist_id: null, application_id: null, reference: null };
  const period = { from: day, to: day };
  const { where, values } = bookingConditions({
    ...{ tenantId, now, period, status: 'confirmed', location_id: locationId },
    ...rest,
  });
  const select = statement<SummaryRow>()`${summariesSql({
    where: sql`${where} AND b.ends_at <= ${param.timestamptz('now')}`,
    order: sql`b.starts_at, b.reference`,
    limit: MAX_VISITS + 1,
  })}`;
  const { rows } = await pool().query<SummaryRow>(bind(select, values));
  return { date: day, bookings: rows.slice(0, MAX_VISITS).map(summaryOf), truncated: rows.length > MAX_VISITS };
}

async function yesterdayOf(now: Date, tenantId: string): Promise<string> {
  const { rows } = await pool().query<{ time_zone: string }>(bind(ZONE_OF_TENANT, { tenantId }));
  if (!rows[0]) throw notFound();
  const today = formatInstant(storedZone(rows[0].time_zone), Math.floor(now.getTime() / 60_000)).date;
  return formatDay(parseDay(today) - 1);
}

const KNOWN = statement<{ count: number }>('visits-known')`
  SELECT count(*)::int AS count FROM bookings b
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.reference = ANY (${param.texts('references')})
    AND ${IN_REACH}`;

/** `complete`, or the undo of it. */
export const VISIT_ACTIONS = ['complete', 'reopen'] as const;

type Version = { reference: string; version: number };

/** The new versions of the changed bookings, and those that allowed no change, for example because somebody else was first. */
type VisitsChanged = { changed: Version[]; refused: string[] };

/** What one booking can refuse, while the others change. */
const REFUSALS = new Set(['version_conflict', 'booking_unavailable', 'not_started', 'not_reopenable', 'not_found']);

/**
 * Completes bookings one by one, or undoes that, like `changeByOwner`. If the process is killed, those that were changed stay
 * changed, and a repeated call refuses them.
 * @throws AppError not_found if one of the bookings does not exist, before any change; errors of `changeByOwner` that
 *   concern all, such as service_unavailable.
 */
export async function changeVisits(
  now: Date,
  {
    action,
    bookings,
    ...by
  }: Pick<Parameters<typeof changeByOwner>[1], 'tenantId' | 'actor'> & {
    action: (typeof VISIT_ACTIONS)[number];
    /** As the page showed them. */
    bookings: readonly Version[];
  },
): Promise<VisitsChanged> {
  const references = [...new Set(bookings.map(({ reference }) => reference))];
  if (!references.every(isBookingReference)) throw notFound();
  const { rows } = await pool().query<{ count: number }>(bind(KNOWN, { tenantId: by.tenantId, references }));
  if (rows[0]?.count !== references.length) throw notFound();
  const result: VisitsChanged = { changed: [], refused: [] };
  for (const { reference, version: expectedVersion } of bookings)
    try {
      const { version } = await changeByOwner(now, { ...by, reference, action, expectedVersion, cancelReason: null });
      result.changed.push({ reference, version });
    } catch (error) {
      if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error;
      result.refused.push(reference);
    }
  return result;
}
