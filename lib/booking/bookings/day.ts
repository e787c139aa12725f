import { notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { formatInstant, type Interval, localDayBounds, localToInstant, zoneOf } from '../availability';
import { type Hours, hoursOfDay } from './day-hours';
import type { Named } from './names';
import { isMovable } from './owner-reschedule';
import type { BookingRow } from './row';

/** Maximum number of bookings to show for one day. */
const MAX_BOOKINGS = 1000;

/** The range of local time that is shown even if it has no bookings. */
const SHOWN = { from: '08:00', to: '18:00' };

type Guest = Pick<BookingRow, 'reference' | 'status' | 'version' | 'external_reference'> & {
  application_name: string;
  /** Whether an owner can move the booking to another slot. */
  movable: boolean;
};

/**
 * An appointment of a specialist with one customer or a group. `start_minute` and `end_minute` are elapsed minutes
 * since local midnight.
 */
export type Block = {
  /** The local date of the start. For an appointment past midnight, it is the day before the second day. */
  date: string;
  start_minute: number;
  end_minute: number;
  start_time: string;
  end_time: string;
  service: Named;
  /** The seats of a group, and how many of them are taken. */
  seats: { taken: number; capacity: number };
  guests: Guest[];
};

/** The bookings of a location on one day, with a column for each specialist. */
export type BookingDay = {
  date: string;
  time_zone: string;
  location: Named;
  /** The instant of local midnight, from which minutes are counted. */
  midnight: Date;
  from_minute: number;
  to_minute: number;
  /** The opening hours of the location. */
  opening: Hours[];
  /**
   * The hours on the time axis of the page, labeled in local time. On the day of a daylight-saving change, one label is
   * repeated or skipped.
   */
  ticks: { minute: number; label: string }[];
  columns: { specialist: Named; working: Hours[]; blocks: Block[] }[];
  cancelled: number;
  /** Whether the day has more bookings than are returned. */
  truncated: boolean;
};

type Row = Omit<Guest, 'movable'> &
  Pick<BookingRow, 'starts_at' | 'ends_at' | 'specialist_id' | 'service_id' | 'claim_id'> & {
    service_name: string;
    capacity: number;
  };

const LOCATION = statement<Named & { time_zone: string }>()`
  SELECT l.id, coalesce(l.name->>t.default_locale, l.city) AS name, l.time_zone
  FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE l.id = ${param.text('locationId')} AND l.tenant_id = ${param.text('tenantId')}`;

// The capacity of a group is that of its claim. After retention removed the claim, it is that of the service.
//
// The last condition on `starts_at` excludes no booking, because no appointment is longer than a day. The condition is
// needed so that PostgreSQL can use the index.
const BOOKINGS = statement<Row>()`
  SELECT b.reference, b.status, b.version, b.claim_id, b.starts_at, b.ends_at, b.external_reference, b.specialist_id,
    b.service_id, coalesce(s.name->>t.default_locale, s.id) AS service_name, a.name AS application_name,
    coalesce(c.capacity, s.capacity) AS capacity
  FROM bookings b
    JOIN tenants t ON t.id = b.tenant_id
    JOIN services s ON s.id = b.service_id
    JOIN applications a ON a.id = b.application_id
    LEFT JOIN slot_claims c ON c.id = b.claim_id
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.location_id = ${param.text('locationId')}
    AND b.starts_at < ${param.timestamptz('to')} AND b.ends_at > ${param.timestamptz('from')}
    AND b.starts_at > ${param.timestamptz('from')} - interval '1 day'
  ORDER BY b.starts_at, b.reference LIMIT ${MAX_BOOKINGS + 1}`;

const SPECIALISTS = statement<Named>()`
  SELECT p.id, p.display_name AS name FROM specialists p
  WHERE p.tenant_id = ${param.text('tenantId')} AND (p.id = ANY(${param.texts('ids')}) OR (p.published AND EXISTS (
    SELECT FROM offerings o WHERE o.specialist_id = p.id AND o.location_id = ${param.text('locationId')})))
  ORDER BY lower(p.display_name), p.id`;

// The location of the earliest booking on or after the date. A local date begins less than a day before or after the
// same date in UTC.
const BUSY_LOCATION = statement<{ id: string }>()`
  SELECT location_id AS id FROM bookings
  WHERE tenant_id = ${param.text('tenantId')} AND status <> 'cancelled'
    AND starts_at > ${param.date('date')}::timestamptz - interval '1 day'
  ORDER BY starts_at LIMIT 1`;

const FIRST_LOCATION = statement<{ id: string }>()`
  SELECT l.id FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE t.id = ${param.text('tenantId')}
  ORDER BY lower(coalesce(l.name->>t.default_locale, l.city)), l.id LIMIT 1`;

/**
 * Returns the location that the page shows if none is selected: the one with the earliest booking on or after the date,
 * or else the first location.
 */
async function defaultLocation(tenantId: string, date: string): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(bind(BUSY_LOCATION, { tenantId, date }));
  const found = rows[0] ?? (await pool().query<{ id: string }>(bind(FIRST_LOCATION, { tenantId }))).rows[0];
  if (!found) throw notFound();
  return found.id;
}

/**
 * Returns the bookings of a location that overlap a local date. Canceled bookings are only counted. A specialist has a
 * column if they have a booking, or if they are published and offer a service at the location.
 * @param selected the location. If it is null, a location with bookings is shown.
 * @throws AppError not_found if the tenant has no such location.
 */
export async function readDay(tenantId: string, selected: string | null, date: string): Promise<BookingDay> {
  const locationId = selected ?? (await defaultLocation(tenantId, date));
  const locations = await pool().query<Named & { time_zone: string }>(bind(LOCATION, { locationId, tenantId }));
  const [found] = locations.rows;
  if (!found) throw notFound();
  const { time_zone, ...location } = found;
  const day = localDayBounds(zoneOf(time_zone), date);
  const bounds = { from: new Date(day.from * 60_000), to: new Date(day.to * 60_000) };
  const { rows } = await pool().query<Row>(bind(BOOKINGS, { tenantId, locationId, ...bounds }));
  const active = rows.slice(0, MAX_BOOKINGS).filter(({ status }) => status !== 'cancelled');
  const ids = [...new Set(active.map(({ specialist_id }) => specialist_id))];
  const specialists = await pool().query<Named>(bind(SPECIALISTS, { tenantId, locationId, ids }));
  const blocks = blocksOf(active, time_zone, day);
  const { opening, working } = await hoursOfDay(tenantId, locationId, day);
  return {
    date,
    time_zone,
    location,
    midnight: bounds.from,
    opening,
    ...axisOf([...opening, ...[...blocks.values()].flat()], time_zone, date),
    columns: specialists.rows.map((specialist) => ({
      specialist,
      working: working.get(specialist.id) ?? [],
      blocks: blocks.get(specialist.id) ?? [],
    })),
    cancelled: rows.filter(({ status }) => status === 'cancelled').length,
    truncated: rows.length > MAX_BOOKINGS,
  };
}

/** Returns the appointments of each specialist. Bookings of the same service and time form a group. */
function blocksOf(rows: readonly Row[], timeZone: string, day: Interval): Map<string, Block[]> {
  const zone = zoneOf(timeZone);
  const columns = new Map<string, Block[]>();
  for (const row of rows) {
    const { reference, status, version, external_reference, application_name } = row;
    const [start, end] = [row.starts_at.getTime() / 60_000, row.ends_at.getTime() / 60_000];
    const column = columns.get(row.specialist_id) ?? [];
    columns.set(row.specialist_id, column);
    const block: Block = {
      date: formatInstant(zone, start).date,
      start_minute: Math.max(0, start - day.from),
      end_minute: Math.min(day.to, end) - day.from,
      start_time: formatInstant(zone, start).time,
      end_time: formatInstant(zone, end).time,
      service: { id: row.service_id, name: row.service_name },
      seats: { taken: 0, capacity: row.capacity },
      guests: [],
    };
    const group = column.find(
      (other) =>
        other.start_minute === block.start_minute &&
        other.end_minute === block.end_minute &&
        other.service.id === block.service.id,
    );
    if (!group) column.push(block);
    const shown = group ?? block;
    shown.guests.push({ reference, status, version, external_reference, application_name, movable: isMovable(row) });
    shown.seats.taken = shown.guests.length;
  }
  return columns;
}

/**
 * Returns the range of hours to show, and the ticks of this range. The range is `SHOWN`, extended so that it includes
 * the opening hours and all bookings.
 */
function axisOf(shown: readonly Pick<Hours, 'start_minute' | 'end_minute'>[], timeZone: string, date: string) {
  const zone = zoneOf(timeZone);
  const day = localDayBounds(zone, date);
  const minuteOf = (time: string) => (localToInstant(zone, date, time) ?? day.from) - day.from;
  const from = Math.min(minuteOf(SHOWN.from), ...shown.map(({ start_minute }) => start_minute));
  const to = Math.max(minuteOf(SHOWN.to), ...shown.map(({ end_minute }) => end_minute));
  const from_minute = Math.max(0, Math.floor(from / 60) * 60);
  const to_minute = Math.min(day.to - day.from, Math.ceil(to / 60) * 60);
  const ticks = [];
  for (let minute = from_minute; minute < to_minute; minute += 60) {
    ticks.push({ minute, label: formatInstant(zone, day.from + minute).time });
  }
  return { from_minute, to_minute, ticks };
}
