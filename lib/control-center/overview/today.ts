import { LOCAL_COLUMNS } from '@/lib/booking/local-times';
import { pool } from '@/lib/platform/db';
import { textOf } from '@/lib/platform/sql';
import { formatInstant, localDayBounds, storedZone } from '@/lib/platform/time-zones';

const MAX_LOCATIONS = 6;
const MAX_NEXT = 3;

/** Without canceled bookings. Today is the date in the location's time zone. */
type LocationToday = {
  location: { id: string; name: string };
  time_zone: string;
  date: string;
  bookings: number;
  /** Confirmed, not ended. */
  remaining: number;
  next: ReturnType<typeof nextOf>[];
};

type Row = Omit<LocationToday, 'location' | 'next'> & {
  id: string;
  name: string;
  all_bookings: number;
  all_locations: number;
  reference: string | null;
  starts_at: Date;
  start_time: string;
  end_time: string;
  service: string;
  specialist: string;
};

const LOCATIONS = 'SELECT id, time_zone FROM locations WHERE tenant_id = $1';

// A booking belongs to the local date of its start. `$3` to `$6` are the locations with their date and the bounds of
// that date. The bounds let PostgreSQL use the index bookings_tenant_id_location_id_starts_at_idx: a booking with the
// time zone of an earlier setting of the location starts at most a day before or after them.
const IS_TODAY = `b.starts_at >= $DAY.begins - interval '1 day' AND b.starts_at < $DAY.ends + interval '1 day'
  AND b.date = $DAY.date`;

const SQL = `
  WITH day AS (
    SELECT l.id, given.time_zone, coalesce(l.name->>t.default_locale, l.city) AS name, t.default_locale, given.date,
      given.begins, given.ends
    FROM locations l JOIN tenants t ON t.id = l.tenant_id
      JOIN unnest($3::text[], $4::text[], $5::date[], $6::timestamptz[], $7::timestamptz[])
        AS given (id, time_zone, date, begins, ends) ON given.id = l.id
    WHERE l.tenant_id = $1),
  busy AS (
    SELECT day.*, counted.*, sum(counted.bookings) OVER ()::int AS all_bookings, count(*) OVER ()::int AS all_locations
    FROM day CROSS JOIN LATERAL (
      SELECT count(*)::int AS bookings, (count(*) FILTER (WHERE b.status = 'confirmed' AND b.ends_at > $2))::int AS remaining,
        min(b.starts_at) FILTER (WHERE b.status = 'confirmed' AND b.ends_at > $2) AS next_at
      FROM bookings b WHERE b.tenant_id = $1 AND b.location_id = day.id AND b.status <> 'cancelled'
        AND ${IS_TODAY.replaceAll('$DAY', 'day')}) AS counted
    WHERE counted.bookings > 0
    ORDER BY counted.next_at NULLS LAST, day.name, day.id LIMIT ${MAX_LOCATIONS})
  SELECT busy.id, busy.name, busy.time_zone, to_char(busy.date, 'YYYY-MM-DD') AS date, busy.bookings, busy.remaining,
    busy.all_bookings, busy.all_locations, n.reference, n.starts_at, n.start_time, n.end_time, coalesce(s.name->>busy.default_locale, s.id) AS service,
    p.display_name AS specialist
  FROM busy LEFT JOIN LATERAL (
    SELECT ${textOf(LOCAL_COLUMNS)}, b.reference, b.starts_at, b.service_id, b.specialist_id
    FROM bookings b WHERE b.tenant_id = $1 AND b.location_id = busy.id AND b.status = 'confirmed' AND b.ends_at > $2
      AND ${IS_TODAY.replaceAll('$DAY', 'busy')}
    ORDER BY b.starts_at, b.reference LIMIT ${MAX_NEXT}) AS n ON true
    LEFT JOIN services s ON s.id = n.service_id LEFT JOIN specialists p ON p.id = n.specialist_id
  ORDER BY busy.next_at NULLS LAST, busy.name, busy.id, n.starts_at, n.reference`;

/**
 * Returns today's bookings by location, without empty locations. Each location has its own date. The location with the
 * soonest next booking comes first. `locations` is the number of those with bookings, and `shown` at most six of them.
 */
export async function bookingsToday(tenantId: string, now: Date) {
  const locations = await pool().query<{ id: string; time_zone: string }>(LOCATIONS, [tenantId]);
  const days = locations.rows.map(({ time_zone }) => dayOf(time_zone, now));
  const { rows } = await pool().query<Row>(SQL, [
    ...[tenantId, now, locations.rows.map(({ id }) => id), locations.rows.map(({ time_zone }) => time_zone)],
    ...[days.map(({ date }) => date), days.map(({ begins }) => begins), days.map(({ ends }) => ends)],
  ]);
  const shown = new Map<string, LocationToday>();
  for (const row of rows) {
    const { id, name, time_zone, date, bookings, remaining } = row;
    const today = shown.get(id) ?? { location: { id, name }, time_zone, date, bookings, remaining, next: [] };
    shown.set(id, today);
    if (row.reference !== null) today.next.push(nextOf(row, row.reference, now));
  }
  return { bookings: rows[0]?.all_bookings ?? 0, locations: rows[0]?.all_locations ?? 0, shown: [...shown.values()] };
}

function dayOf(timeZone: string, now: Date): { date: string; begins: Date; ends: Date } {
  const zone = storedZone(timeZone);
  const { date } = formatInstant(zone, Math.floor(now.getTime() / 60_000));
  const { from, to } = localDayBounds(zone, date);
  return { date, begins: new Date(from * 60_000), ends: new Date(to * 60_000) };
}

function nextOf(row: Row, reference: string, now: Date) {
  const { starts_at, start_time, end_time, service, specialist } = row;
  return { reference, start_time, end_time, started: starts_at <= now, service, specialist };
}
