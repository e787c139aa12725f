import { rememberedLocation } from '@/lib/access/owners/remembered-location';
import { notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { isInReach } from '@/lib/platform/tenant-scope';
import {
  boundaryInstant,
  DAY,
  type DayClock,
  dayClock,
  formatInstant,
  formatTime,
  localDayBounds,
  localToInstant,
  parseDay,
  parseTime,
  storedZone,
  type Zone,
} from '@/lib/platform/time-zones';
import type { Interval } from '../availability/input';
import { type BlockRecord, blocksOfDays, type ShownBlock } from '../blocks/list';
import { outsideReasons, type Reason } from '../catalog/edit/outside';
import { snapshotOf } from '../catalog/snapshot';
import { bookingTimes, LOCAL_COLUMNS } from '../local-times';
import type { BookingRow } from './booking';
import { type Hours, hoursOfDay, type MinuteOf } from './day-hours';
import { isMovable } from './owner-reschedule';
import { type BookingTerms, type Named, TERMS_COLUMNS, type TermsRow, termsOf } from './summary';

export const MAX_OF_DAY = 1000;
export const MAX_OF_DAYS = 2000;

/** Local hours that are shown even if the location is closed. */
const SHOWN = { from: '08:00', to: '18:00' };

type BlockBooking = Pick<BookingRow, 'reference' | 'status' | 'version' | 'external_reference'> &
  BookingTerms & {
    /** Null for a booking of the business. */
    application_name: string | null;
    /** To another slot, by the business. */
    movable: boolean;
    /** Why the current catalog would not allow this future booking, such as `outside_hours`. */
    outside: Reason | null;
  };

/** A specialist's appointment with one customer or a group. The minutes enclose only the part on the displayed day. */
export type Block = {
  /** Of the start, which can be before the displayed day. */
  date: string;
  start_minute: number;
  end_minute: number;
  start_time: string;
  end_time: string;
  service: Named;
  seats: { taken: number; capacity: number };
  bookings: BlockBooking[];
};

/** The part of a block on the displayed day. */
export type BlockedPart = Hours & { block: BlockRecord };

/** The bookings of a location on one day, by specialist. `blocked` includes blocks of the location and the business. */
export type DayBody = {
  date: string;
  /** The instant of local midnight. */
  midnight: Date;
  clock: DayClock;
  opening: Hours[];
  columns: { specialist: Named; working: Hours[]; blocked: BlockedPart[]; blocks: Block[] }[];
  cancelled: number;
};

/** Ticks are hours, labeled in local time. */
export type Axis = { from_minute: number; to_minute: number; ticks: { minute: number; label: string }[] };

/** `truncated`: some bookings are not returned. */
export type Place = { time_zone: string; location: Named; truncated: boolean };

/**
 * Minutes are elapsed since local midnight, and labels are local times. On the day of a daylight-saving change, a label
 * is therefore repeated or missing.
 */
export type BookingDay = Place & Axis & DayBody;

type Row = Omit<BlockBooking, 'movable' | 'outside' | keyof BookingTerms> &
  TermsRow &
  Parameters<typeof bookingTimes>[0] &
  Pick<BookingRow, 'location_id' | 'specialist_id' | 'service_id' | 'claim_id'> & {
    service_name: string;
    capacity: number;
  };

const LOCATION = statement<Named & { time_zone: string }>()`
  SELECT l.id, coalesce(l.name->>t.default_locale, l.city) AS name, l.time_zone
  FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE l.id = ${param.text('locationId')} AND l.tenant_id = ${param.text('tenantId')}`;

// `capacity` is that of the service if retention has deleted the claim. The stored local times decide, because a
// booking may have been made with other time zone rules. One whose time zone is not that of the location counts by its
// instants. The bounds of `starts_at` only limit what is read from the index: no appointment is longer than a day, and
// no change of rules moves a local time by more.
const BOOKINGS = statement<Row>()`
  SELECT ${LOCAL_COLUMNS}, b.reference, b.status, b.version, b.claim_id, b.starts_at, b.ends_at, b.time_zone, b.external_reference,
    b.application_id, ${TERMS_COLUMNS}, b.location_id, b.specialist_id, b.service_id, coalesce(s.name->>t.default_locale, s.id) AS service_name, a.name AS application_name,
    coalesce(c.capacity, s.capacity) AS capacity
  FROM bookings b
    JOIN tenants t ON t.id = b.tenant_id
    JOIN services s ON s.id = b.service_id
    LEFT JOIN applications a ON a.id = b.application_id
    LEFT JOIN slot_claims c ON c.id = b.claim_id
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.location_id = ${param.text('locationId')}
    AND b.starts_at < ${param.timestamptz('to')} + interval '1 day'
    AND b.starts_at > ${param.timestamptz('from')} - interval '2 days'
    AND CASE WHEN b.time_zone = ${param.text('zone')}
      THEN b.date + b.start_time < ${param.date('last')} + 1 AND b.end_date + b.end_time > ${param.date('first')}
      ELSE b.starts_at < ${param.timestamptz('to')} AND b.ends_at > ${param.timestamptz('from')} END
  ORDER BY b.starts_at, b.reference LIMIT ${param.int('limit')}`;

const SPECIALISTS = statement<Named>()`
  SELECT p.id, p.display_name AS name FROM specialists p
  WHERE p.tenant_id = ${param.text('tenantId')} AND (p.id = ANY(${param.texts('ids')}) OR (p.published AND EXISTS (
    SELECT FROM offerings o WHERE o.specialist_id = p.id AND o.location_id = ${param.text('locationId')})))
  ORDER BY lower(p.display_name), p.id`;

/**
 * Returns the calendar of a location for a local date. Columns are the published specialists with an offering here, and
 * others with a booking. Canceled bookings are only counted. `defaultLocation` replaces a null `selected`.
 * @throws AppError not_found if the tenant has no such location.
 */
export async function readDay(now: Date, reader: Reader, selected: string | null, date: string): Promise<BookingDay> {
  const minutesOf = (day: Interval) => (instant: number) => instant - day.from;
  const schedule = await readSchedule(now, reader, selected, date, [date], minutesOf);
  const { days, zone, time_zone, location, truncated } = schedule;
  const [body] = days;
  if (!body) throw notFound();
  const { from } = localDayBounds(zone, date);
  const axis = axisOf(days, zone, date, (minute) => formatInstant(zone, from + minute).time);
  return { time_zone, location, truncated, ...axis, ...body };
}

/**
 * Returns the bookings of a location on consecutive dates, with a fixed number of queries. `shown` is for
 * `defaultLocation`.
 * @throws AppError not_found if the tenant has no such location.
 */
export async function readSchedule(
  now: Date,
  reader: Reader,
  selected: string | null,
  shown: string,
  dates: readonly string[],
  minutesOf: (day: Interval, zone: Zone) => MinuteOf,
): Promise<Place & { zone: Zone; days: DayBody[] }> {
  const { tenantId } = reader;
  const locationId = selected ?? (await defaultLocation(reader, shown));
  if (!isInReach(locationId)) throw notFound();
  const locations = await pool().query<Named & { time_zone: string }>(bind(LOCATION, { locationId, tenantId }));
  const [found] = locations.rows;
  if (!found) throw notFound();
  const { time_zone, ...location } = found;
  const zone = storedZone(time_zone);
  const bounds = dates.map((date) => ({ date, day: localDayBounds(zone, date) }));
  const period = {
    first: dates[0] ?? shown,
    last: dates.at(-1) ?? shown,
    from: new Date((bounds[0]?.day.from ?? 0) * 60_000),
    to: new Date((bounds.at(-1)?.day.to ?? 0) * 60_000),
  };
  const limit = dates.length === 1 ? MAX_OF_DAY : MAX_OF_DAYS;
  const { rows } = await pool().query<Row>(
    bind(BOOKINGS, { ...period, tenantId, locationId, zone: zone.name, limit: limit + 1 }),
  );
  const kept = rows.slice(0, limit);
  const ids = [...new Set(kept.filter(isActive).map(({ specialist_id }) => specialist_id))];
  const reasonOf = outsideReasons(await snapshotOf(tenantId), now, kept);
  const specialists = await pool().query<Named>(bind(SPECIALISTS, { tenantId, locationId, ids }));
  const subjects = [...specialists.rows.map(({ id }) => id), locationId, tenantId];
  const parts = await blocksOfDays(reader, subjects, period.first, period.last);
  const placed = kept.map((row) => ({ row, place: placeOf(row, zone) }));
  const days = await Promise.all(
    bounds.map(async ({ date, day }) => {
      const minuteOf = minutesOf(day, zone);
      const { opening, working } = await hoursOfDay(tenantId, locationId, day, minuteOf);
      const own = placed.filter(({ place }) => place.from < day.to && place.to > day.from);
      const blocks = blocksOf(
        own.filter(({ row }) => isActive(row)),
        { day, minuteOf, reasonOf },
      );
      const columns = specialists.rows.map((specialist) => ({
        specialist,
        working: working.get(specialist.id) ?? [],
        blocked: blockedOf(parts, [specialist.id, locationId, tenantId], { date, zone, minuteOf }),
        blocks: blocks.get(specialist.id) ?? [],
      }));
      const cancelled = own.filter(({ row }) => !isActive(row)).length;
      return { date, midnight: new Date(day.from * 60_000), clock: dayClock(zone, date), opening, columns, cancelled };
    }),
  );
  return { zone, time_zone, location, truncated: rows.length > limit, days };
}

/** The member who reads a schedule, and whether the member may see the reasons of blocks. */
export type Reader = { tenantId: string; userId: string; reasons: boolean };

function blockedOf(
  parts: readonly ShownBlock[],
  subjectIds: readonly string[],
  { date, zone, minuteOf }: { date: string; zone: Zone; minuteOf: MinuteOf },
): BlockedPart[] {
  const midnight = parseDay(date) * DAY;
  return parts.flatMap(({ subjectId, from, to, block }) => {
    if (from < midnight || from >= midnight + DAY || !subjectIds.includes(subjectId)) return [];
    const start_minute = minuteOf(boundaryInstant(zone, from));
    const end_minute = minuteOf(boundaryInstant(zone, to));
    const times = { start_time: formatTime(from - midnight), end_time: formatTime(to - midnight) };
    return end_minute > start_minute ? [{ start_minute, end_minute, ...times, block }] : [];
  });
}

const isActive = ({ status }: Row) => status !== 'cancelled';

const minutesAt = (instant: Date) => instant.getTime() / 60_000;

/** Epoch minutes on the clock of the location. */
type Placed = Interval & { date: string; start_time: string; end_time: string };

/** The local start that the customer was told decides, even if its instant is another one under the current rules. */
function placeOf(row: Row, zone: Zone): Placed {
  const [start, end] = [minutesAt(row.starts_at), minutesAt(row.ends_at)];
  const { date, start_time, end_time, time_zone } = bookingTimes(row);
  if (time_zone !== zone.name) {
    const local = formatInstant(zone, start);
    return { from: start, to: end, date: local.date, start_time: local.time, end_time: formatInstant(zone, end).time };
  }
  const from = boundaryInstant(zone, parseDay(date) * DAY + parseTime(start_time));
  return { from, to: from + end - start, date, start_time, end_time };
}

type View = { day: Interval; minuteOf: MinuteOf; reasonOf: (row: Row) => Reason | null };

/** Bookings of one appointment are in one block. */
function blocksOf(
  rows: readonly { row: Row; place: Placed }[],
  { day, minuteOf, reasonOf }: View,
): Map<string, Block[]> {
  const columns = new Map<string, Block[]>();
  const appointments = new Map<string, Block>();
  for (const { row, place } of rows) {
    const { reference, status, version, external_reference, application_name } = row;
    const { from: start, to: end, ...local } = place;
    const column = columns.get(row.specialist_id) ?? [];
    columns.set(row.specialist_id, column);
    const block: Block = {
      date: local.date,
      start_minute: minuteOf(Math.max(day.from, start)),
      // If the clock moves back during an appointment, its local end can be before its local start. It then lasts a
      // minute.
      end_minute: Math.max(minuteOf(Math.max(day.from, start)) + 1, minuteOf(Math.min(day.to, end))),
      start_time: local.start_time,
      end_time: local.end_time,
      service: { id: row.service_id, name: row.service_name },
      seats: { taken: 0, capacity: row.capacity },
      bookings: [],
    };
    // Two appointments can begin at the same instant: one of them was told a local time that the clock now skips.
    const times = `${row.starts_at.getTime()} ${row.ends_at.getTime()} ${local.start_time} ${local.end_time}`;
    const key = `${row.specialist_id} ${row.service_id} ${row.claim_id} ${times}`;
    const group = appointments.get(key);
    if (!group) column.push(block);
    const shown = group ?? block;
    appointments.set(key, shown);
    const booking = { reference, status, version, external_reference, application_name };
    shown.bookings.push({ ...booking, movable: isMovable(row), outside: reasonOf(row), ...termsOf(row) });
    shown.seats.taken = shown.bookings.length;
  }
  return columns;
}

/**
 * Returns the range of hours to show: `SHOWN`, the opening hours, and all bookings. With a date, minutes are elapsed
 * (see `BookingDay`). With null, they are local times (see `BookingWeek`).
 */
export function axisOf(
  days: readonly DayBody[],
  zone: Zone,
  date: string | null,
  labelOf: (minute: number) => string,
): Axis {
  const day = date === null ? { from: 0, to: DAY } : localDayBounds(zone, date);
  const minuteOf = (time: string) =>
    date === null ? parseTime(time) : (localToInstant(zone, date, time) ?? day.from) - day.from;
  const shown = days.flatMap(({ opening, columns }) => [...opening, ...columns.flatMap(({ blocks }) => blocks)]);
  const from = Math.min(minuteOf(SHOWN.from), ...shown.map(({ start_minute }) => start_minute));
  const to = Math.max(minuteOf(SHOWN.to), ...shown.map(({ end_minute }) => end_minute));
  const from_minute = Math.max(0, Math.floor(from / 60) * 60);
  const to_minute = Math.min(day.to - day.from, Math.ceil(to / 60) * 60);
  const ticks = [];
  for (let minute = from_minute; minute < to_minute; minute += 60) ticks.push({ minute, label: labelOf(minute) });
  return { from_minute, to_minute, ticks };
}

const LOCATIONS = statement<{ id: string; time_zone: string }>()`
  SELECT id, time_zone FROM locations WHERE tenant_id = ${param.text('tenantId')}`;

// `starts_at` only lets PostgreSQL use the index. Local midnight is at most a day before midnight in UTC, and an
// appointment lasts at most a day.
const BUSY_LOCATION = statement<{ id: string }>()`
  SELECT b.location_id AS id
  FROM bookings b JOIN unnest(${param.texts('ids')}, ${param.timestamptzs('midnights')}) AS l (id, midnight)
    ON l.id = b.location_id
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.status <> 'cancelled' AND b.ends_at > l.midnight
    AND b.starts_at > ${param.date('date')}::timestamptz - interval '2 days'
  ORDER BY b.starts_at LIMIT 1`;

const FIRST_LOCATION = statement<{ id: string }>()`
  SELECT l.id FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE t.id = ${param.text('tenantId')}
    AND l.id = ANY(${param.texts('ids')})
  ORDER BY lower(coalesce(l.name->>t.default_locale, l.city)), l.id LIMIT 1`;

/**
 * Returns the location that the member looked at last, or that of the first booking on or after `date`, or the first by
 * name.
 * @throws AppError not_found if the member reaches no location.
 */
async function defaultLocation(reader: Reader, date: string): Promise<string> {
  const remembered = await rememberedLocation(reader);
  if (remembered !== null && isInReach(remembered)) return remembered;
  const { tenantId } = reader;
  const { rows: all } = await pool().query<{ id: string; time_zone: string }>(bind(LOCATIONS, { tenantId }));
  const locations = all.filter(({ id }) => isInReach(id));
  const ids = locations.map(({ id }) => id);
  const midnights = locations.map(
    ({ time_zone }) => new Date(localDayBounds(storedZone(time_zone), date).from * 60_000),
  );
  const { rows } = await pool().query<{ id: string }>(bind(BUSY_LOCATION, { tenantId, date, ids, midnights }));
  const found = rows[0] ?? (await pool().query<{ id: string }>(bind(FIRST_LOCATION, { tenantId, ids }))).rows[0];
  if (!found) throw notFound();
  return found.id;
}
