import { formatInstant, zoneOf } from '@/lib/booking/availability';
import type { ReadDatabase } from '@/lib/platform/db';

/** Maximum number of locations in `Today.shown`. */
const MAX_LOCATIONS = 6;
/** Maximum number of bookings in `LocationToday.next`. */
const MAX_NEXT = 3;

/** A confirmed booking that has not ended. Its times are in the location's time zone. */
export type NextBooking = {
  reference: string;
  start_time: string;
  end_time: string;
  started: boolean;
  service: string;
  specialist: string;
};

/** Today's bookings of one location, except canceled bookings. Today is the date in the location's time zone. */
export type LocationToday = {
  location: { id: string; name: string };
  time_zone: string;
  date: string;
  bookings: number;
  /** Number of confirmed bookings that have not ended. */
  remaining: number;
  next: NextBooking[];
};

/**
 * Today's bookings. `bookings` is their number. `locations` is the number of locations that have such bookings. `shown`
 * contains at most six of these locations.
 */
export type Today = { bookings: number; locations: number; shown: LocationToday[] };

type Row = Omit<LocationToday, 'location' | 'next'> & {
  id: string;
  name: string;
  all_bookings: number;
  all_locations: number;
  reference: string | null;
  starts_at: Date;
  ends_at: Date;
  service: string;
  specialist: string;
};

// A booking belongs to the local date of its start. Uses the index bookings_tenant_id_location_id_starts_at_idx.
const SQL = `
  WITH day AS (
    SELECT l.id, l.time_zone, coalesce(l.name->>t.default_locale, l.city) AS name, t.default_locale, local.date,
      local.date::timestamp AT TIME ZONE l.time_zone AS begins, (local.date + 1)::timestamp AT TIME ZONE l.time_zone AS ends
    FROM locations l JOIN tenants t ON t.id = l.tenant_id
      CROSS JOIN LATERAL (SELECT ($2::timestamptz AT TIME ZONE l.time_zone)::date AS date) AS local
    WHERE l.tenant_id = $1),
  busy AS (
    SELECT day.*, counted.*, sum(counted.bookings) OVER ()::int AS all_bookings, count(*) OVER ()::int AS all_locations
    FROM day CROSS JOIN LATERAL (
      SELECT count(*)::int AS bookings, (count(*) FILTER (WHERE b.status = 'confirmed' AND b.ends_at > $2))::int AS remaining,
        min(b.starts_at) FILTER (WHERE b.status = 'confirmed' AND b.ends_at > $2) AS next_at
      FROM bookings b WHERE b.tenant_id = $1 AND b.location_id = day.id AND b.status <> 'cancelled'
        AND b.starts_at >= day.begins AND b.starts_at < day.ends) AS counted
    WHERE counted.bookings > 0
    ORDER BY counted.next_at NULLS LAST, day.name, day.id LIMIT ${MAX_LOCATIONS})
  SELECT busy.id, busy.name, busy.time_zone, busy.date::text, busy.bookings, busy.remaining, busy.all_bookings,
    busy.all_locations, n.reference, n.starts_at, n.ends_at, coalesce(s.name->>busy.default_locale, s.id) AS service,
    p.display_name AS specialist
  FROM busy LEFT JOIN LATERAL (
    SELECT b.reference, b.starts_at, b.ends_at, b.service_id, b.specialist_id
    FROM bookings b WHERE b.tenant_id = $1 AND b.location_id = busy.id AND b.status = 'confirmed'
      AND b.starts_at >= busy.begins AND b.starts_at < busy.ends AND b.ends_at > $2
    ORDER BY b.starts_at, b.reference LIMIT ${MAX_NEXT}) AS n ON true
    LEFT JOIN services s ON s.id = n.service_id LEFT JOIN specialists p ON p.id = n.specialist_id
  ORDER BY busy.next_at NULLS LAST, busy.name, busy.id, n.starts_at, n.reference`;

/**
 * Returns today's bookings by location, without empty locations. Each location has its own date. The location with the
 * soonest next booking comes first.
 */
export async function bookingsToday({ pool }: ReadDatabase, tenantId: string, now: Date): Promise<Today> {
  const { rows } = await pool.query<Row>(SQL, [tenantId, now]);
  const shown = new Map<string, LocationToday>();
  for (const row of rows) {
    const { id, name, time_zone, date, bookings, remaining } = row;
    const today = shown.get(id) ?? { location: { id, name }, time_zone, date, bookings, remaining, next: [] };
    shown.set(id, today);
    if (row.reference !== null) today.next.push(nextOf(row, row.reference, now));
  }
  return { bookings: rows[0]?.all_bookings ?? 0, locations: rows[0]?.all_locations ?? 0, shown: [...shown.values()] };
}

function nextOf(
  { starts_at, ends_at, time_zone, service, specialist }: Row,
  reference: string,
  now: Date,
): NextBooking {
  const timeOf = (at: Date) => formatInstant(zoneOf(time_zone), at.getTime() / 60_000).time;
  return {
    reference,
    start_time: timeOf(starts_at),
    end_time: timeOf(ends_at),
    started: starts_at <= now,
    service,
    specialist,
  };
}
