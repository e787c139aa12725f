import { notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { formatInstant, type Interval, localDayBounds, localToInstant, zoneOf } from '../availability';
import type { Named } from './names';
import type { BookingRow } from './row';

/** Bookings that one day shows; more is beyond what a person can look through. */
const MAX_BOOKINGS = 1000;

/** The part of a day that is shown even if it is empty, on the wall clock. */
const SHOWN = { from: '08:00', to: '18:00' };

type Guest = Pick<BookingRow, 'reference' | 'status' | 'external_reference'> & { application_name: string };

/** One appointment of a specialist: one guest, or a group. Minutes since the day's midnight, in elapsed time. */
export type Block = {
  start_minute: number;
  end_minute: number;
  start_time: string;
  end_time: string;
  service: Named;
  guests: Guest[];
};

/** A location's day: a column for each specialist. */
export type BookingDay = {
  date: string;
  time_zone: string;
  location: Named;
  from_minute: number;
  to_minute: number;
  /** Every full hour that is shown, as the wall clock says it; twice or not at all when the clocks change. */
  ticks: { minute: number; label: string }[];
  columns: { specialist: Named; blocks: Block[] }[];
  cancelled: number;
  /** There are more bookings than are shown. */
  truncated: boolean;
};

const LOCATION = `
  SELECT l.id, coalesce(l.name->>t.default_locale, l.city) AS name, l.time_zone
  FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE l.id = $1 AND l.tenant_id = $2`;

// No appointment is longer than a day, so the index narrows by the start.
const BOOKINGS = `
  SELECT b.reference, b.status, b.starts_at, b.ends_at, b.external_reference, b.specialist_id, b.service_id,
    coalesce(s.name->>t.default_locale, s.id) AS service_name, a.name AS application_name
  FROM bookings b
    JOIN tenants t ON t.id = b.tenant_id
    JOIN services s ON s.id = b.service_id
    JOIN applications a ON a.id = b.application_id
  WHERE b.tenant_id = $1 AND b.location_id = $2 AND b.starts_at < $4 AND b.ends_at > $3
    AND b.starts_at > $3::timestamptz - interval '1 day'
  ORDER BY b.starts_at, b.reference LIMIT ${MAX_BOOKINGS + 1}`;

const SPECIALISTS = `
  SELECT p.id, p.display_name AS name FROM specialists p
  WHERE p.tenant_id = $1 AND (p.id = ANY($3) OR (p.published AND EXISTS (
    SELECT FROM offerings o WHERE o.specialist_id = p.id AND o.location_id = $2)))
  ORDER BY lower(p.display_name), p.id`;

type Row = Guest &
  Pick<BookingRow, 'starts_at' | 'ends_at' | 'specialist_id' | 'service_id'> & { service_name: string };

/**
 * Returns the bookings of a location on a local date, those that reach into it from the day before included. Cancelled
 * ones are only counted. A specialist who works here or has a booking has a column.
 * @throws AppError not_found.
 */
export async function readDay(tenantId: string, locationId: string, date: string): Promise<BookingDay> {
  const places = await pool().query<Named & { time_zone: string }>(LOCATION, [locationId, tenantId]);
  const [place] = places.rows;
  if (!place) throw notFound();
  const { time_zone, ...location } = place;
  const day = localDayBounds(zoneOf(time_zone), date);
  const bounds = [new Date(day.from * 60_000), new Date(day.to * 60_000)];
  const { rows } = await pool().query<Row>(BOOKINGS, [tenantId, locationId, ...bounds]);
  const standing = rows.slice(0, MAX_BOOKINGS).filter(({ status }) => status !== 'cancelled');
  const ids = [...new Set(standing.map(({ specialist_id }) => specialist_id))];
  const specialists = await pool().query<Named>(SPECIALISTS, [tenantId, locationId, ids]);
  const blocks = blocksOf(standing, time_zone, day);
  return {
    date,
    time_zone,
    location,
    ...axisOf([...blocks.values()].flat(), time_zone, date),
    columns: specialists.rows.map((specialist) => ({ specialist, blocks: blocks.get(specialist.id) ?? [] })),
    cancelled: rows.filter(({ status }) => status === 'cancelled').length,
    truncated: rows.length > MAX_BOOKINGS,
  };
}

/** Returns the appointments of each specialist; who has the same service at the same time is one group. */
function blocksOf(rows: readonly Row[], timeZone: string, day: Interval): Map<string, Block[]> {
  const zone = zoneOf(timeZone);
  const columns = new Map<string, Block[]>();
  for (const row of rows) {
    const { reference, status, external_reference, application_name } = row;
    const [start, end] = [row.starts_at.getTime() / 60_000, row.ends_at.getTime() / 60_000];
    const column = columns.get(row.specialist_id) ?? [];
    columns.set(row.specialist_id, column);
    const block: Block = {
      start_minute: Math.max(0, start - day.from),
      end_minute: Math.min(day.to, end) - day.from,
      start_time: formatInstant(zone, start).time,
      end_time: formatInstant(zone, end).time,
      service: { id: row.service_id, name: row.service_name },
      guests: [],
    };
    const group = column.find(
      (other) =>
        other.start_minute === block.start_minute &&
        other.end_minute === block.end_minute &&
        other.service.id === block.service.id,
    );
    if (!group) column.push(block);
    (group ?? block).guests.push({ reference, status, external_reference, application_name });
  }
  return columns;
}

/** Returns the part of the day that is shown: the usual hours, and whatever is booked outside of them. */
function axisOf(blocks: readonly Block[], timeZone: string, date: string) {
  const zone = zoneOf(timeZone);
  const day = localDayBounds(zone, date);
  const minuteOf = (time: string) => (localToInstant(zone, date, time) ?? day.from) - day.from;
  const from = Math.min(minuteOf(SHOWN.from), ...blocks.map(({ start_minute }) => start_minute));
  const to = Math.max(minuteOf(SHOWN.to), ...blocks.map(({ end_minute }) => end_minute));
  const from_minute = Math.max(0, Math.floor(from / 60) * 60);
  const to_minute = Math.min(day.to - day.from, Math.ceil(to / 60) * 60);
  const ticks = [];
  for (let minute = from_minute; minute < to_minute; minute += 60) {
    ticks.push({ minute, label: formatInstant(zone, day.from + minute).time });
  }
  return { from_minute, to_minute, ticks };
}
