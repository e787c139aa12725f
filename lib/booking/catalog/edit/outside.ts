import { type Db, db } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { textOf } from '@/lib/platform/sql';
import type { Interval } from '../../availability/input';
import { workingTime } from '../../availability/slots';
import { bookingTimes, LOCAL_COLUMNS } from '../../local-times';
import { type Catalog, readCatalog } from '../snapshot';
import type { KindName } from './kind';

/** The soonest are checked. */
export const MAX_CHECKED = 10_000;
/** The soonest are listed. */
export const MAX_LISTED = 20;

/**
 * The reasons why a booking is outside the catalog, in the order of the checks. Only the first one is reported. The
 * reason `blocked` is reported only for the bookings inside a block before it is saved.
 */
export const OUTSIDE_REASONS = [
  'service_unpublished',
  'location_unpublished',
  'specialist_unpublished',
  'not_offered',
  'outside_hours',
  'blocked',
] as const;
export type Reason = (typeof OUTSIDE_REASONS)[number];

type Booked = { service_id: string; location_id: string; specialist_id: string; starts_at: Date; ends_at: Date };

type UpcomingBooking = Booked & {
  reference: string;
  time_zone: string;
  date: string;
  start_time: string;
  end_date: string;
  end_time: string;
};

export type OutsideBooking = ReturnType<typeof listed>;

/** Future confirmed bookings for one of `OUTSIDE_REASONS`. Only the owner decides what to do with them. */
export type Outside = {
  /** Checked future bookings. */
  upcoming: number;
  /** Those outside the catalog. */
  count: number;
  /** False if there are more future bookings than were checked. */
  complete: boolean;
  /** At most `MAX_LISTED`, soonest first. */
  first: OutsideBooking[];
};

/** Records whose bookings are checked. Null: all of the tenant's. */
export type Scope = { kind: KindName; ids: readonly string[] } | null;

export const NOTHING_OUTSIDE: Outside = { upcoming: 0, count: 0, complete: true, first: [] };

/** `reason` is null within the catalog. */
export type CheckedBooking = {
  reference: string;
  location_id: string;
  reason: Reason | null;
  listed: (reason: Reason) => OutsideBooking;
};

/** `complete` is false if the scope contains more future confirmed bookings than were checked. */
export type Checked = { bookings: CheckedBooking[]; complete: boolean };

/** Checks the `limit` soonest future confirmed bookings in `scope` against the catalog. */
export async function checkBookings(
  tx: Db,
  tenantId: string,
  now: Date,
  scope: Scope,
  limit = MAX_CHECKED,
): Promise<Checked> {
  const rows = await tx.$queryRaw<UpcomingBooking[]>(upcomingSql(tenantId, now, scope, limit + 1));
  const catalog = rows.length > 0 ? await readCatalog(tx, tenantId) : null;
  if (!catalog) return { bookings: [], complete: true };
  const checked = rows.slice(0, limit);
  const reasonOf = reasonReader(catalog, checked);
  const bookings = checked.map((row) => ({
    reference: row.reference,
    location_id: row.location_id,
    reason: reasonOf(row),
    listed: (reason: Reason) => listed(catalog, row, reason),
  }));
  return { bookings, complete: rows.length <= limit };
}

/** Returns the future confirmed bookings in `scope` that the catalog no longer allows. */
export async function bookingsOutside(tx: Db, tenantId: string, now: Date, scope: Scope): Promise<Outside> {
  return outsideOf(await checkBookings(tx, tenantId, now, scope));
}

/** Counts the checked bookings that the catalog no longer allows, and returns the soonest of them. */
export function outsideOf({ bookings, complete }: Checked): Outside {
  const outside = bookings.flatMap(({ reason, listed }) => (reason ? [() => listed(reason)] : []));
  const first = outside.slice(0, MAX_LISTED).map((booking) => booking());
  return { upcoming: bookings.length, count: outside.length, complete, first };
}

/** Like `bookingsOutside`, but runs in a new transaction. */
export async function readOutside(tenantId: string, now: Date, scope: Scope): Promise<Outside> {
  return outsideOf(await readChecked(tenantId, now, scope));
}

/** Like `checkBookings`, but runs in a new transaction. */
export function readChecked(tenantId: string, now: Date, scope: Scope, limit = MAX_CHECKED): Promise<Checked> {
  const isolationLevel = Prisma.TransactionIsolationLevel.RepeatableRead;
  return db().$transaction((tx) => checkBookings(tx, tenantId, now, scope, limit), {
    isolationLevel,
    timeout: 8_000,
  });
}

/** Returns the SQL of the next `limit` confirmed bookings in `scope`, by start. Exported for a test of its index. */
export function upcomingSql(tenantId: string, now: Date, scope: Scope, limit: number): Prisma.Sql {
  const column = scope && Prisma.raw(`b.${scope.kind}_id`);
  const ofRecord = scope ? Prisma.sql`AND ${column} = ANY (${[...scope.ids]})` : Prisma.empty;
  // `bookings` has no row-level security policy for reads. The join to `tenants` hides those of other tenants (decision
  // 27).
  return Prisma.sql`
    SELECT b.reference, b.service_id, b.location_id, b.specialist_id, b.starts_at, b.ends_at, b.time_zone,
      ${LOCAL}
    FROM bookings b JOIN tenants t ON t.id = b.tenant_id
    WHERE b.tenant_id = ${tenantId} AND b.status = 'confirmed' AND b.starts_at > ${now}::timestamptz ${ofRecord}
    ORDER BY b.starts_at, b.reference LIMIT ${limit}::int`;
}

// `LOCAL_COLUMNS` of `bookings/local-columns.ts` for Prisma.
const LOCAL = Prisma.raw(textOf(LOCAL_COLUMNS));

const minutes = (date: Date) => date.getTime() / 60_000;

/**
 * Returns a function that gives the reason why one of `rows` is outside the catalog, or null, also if it has begun or
 * is not confirmed. The rows must be ordered by start.
 */
export function outsideReasons<Row extends Booked & { status: string }>(
  catalog: Catalog,
  now: Date,
  rows: readonly Row[],
): (row: Row) => Reason | null {
  // As in `upcomingSql`.
  const isChecked = ({ status, starts_at }: Row) => status === 'confirmed' && starts_at > now;
  const reasonOf = reasonReader(catalog, rows.filter(isChecked));
  return (row) => (isChecked(row) ? reasonOf(row) : null);
}

/** The working time of each specialist at a location is computed only once. */
function reasonReader(catalog: Catalog, rows: readonly Booked[]): (row: Booked) => Reason | null {
  const { services, locations, specialists, schedules } = catalog;
  const range = {
    from: minutes(rows[0]?.starts_at ?? new Date(0)),
    to: Math.max(...rows.map((r) => minutes(r.ends_at))),
  };
  const known = new Map<string, readonly Interval[]>();
  const workingAt = ({ service_id, location_id, specialist_id }: Booked): readonly Interval[] | null => {
    const location = schedules.locations.get(location_id);
    const specialist = schedules.offering(service_id, location_id).find(({ id }) => id === specialist_id);
    if (!location || !specialist) return null;
    const key = `${location_id} ${specialist_id}`;
    const working = known.get(key) ?? workingTime(location, specialist, range);
    known.set(key, working);
    return working;
  };
  return (row) => {
    if (!services.get(row.service_id)?.published) return 'service_unpublished';
    if (!locations.get(row.location_id)?.published) return 'location_unpublished';
    if (!specialists.get(row.specialist_id)?.published) return 'specialist_unpublished';
    const working = workingAt(row);
    if (!working) return 'not_offered';
    return lieWithin(working, minutes(row.starts_at), minutes(row.ends_at)) ? null : 'outside_hours';
  };
}

function lieWithin(working: readonly Interval[], from: number, to: number): boolean {
  const interval = working.find((one) => one.to > from);
  return interval !== undefined && interval.from <= from && to <= interval.to;
}

function listed(catalog: Catalog, row: UpcomingBooking, reason: Reason) {
  const { reference, service_id, location_id, specialist_id } = row;
  const text = (texts: Record<string, string> | undefined) => texts?.[catalog.defaultLocale] ?? '';
  return {
    reference,
    reason,
    ...bookingTimes(row),
    service_id,
    service_name: text(catalog.services.get(service_id)?.name),
    location_id,
    location_name: text(catalog.locations.get(location_id)?.name),
    specialist_id,
    specialist_name: catalog.specialists.get(specialist_id)?.displayName ?? '',
  };
}
