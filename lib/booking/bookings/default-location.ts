import { notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { localDayBounds, storedZone } from '@/lib/platform/time-zones';

const LOCATIONS = statement<{ id: string; time_zone: string }>()`
  SELECT id, time_zone FROM locations WHERE tenant_id = ${param.text('tenantId')}`;

// Finds the first booking that ends after local midnight of the date, and returns its location. The condition on
// `starts_at` changes no result, but lets PostgreSQL use the index. Two days are enough, because local midnight is at
// most a day before midnight in UTC, and an appointment lasts at most a day.
const BUSY_LOCATION = statement<{ id: string }>()`
  SELECT b.location_id AS id
  FROM bookings b JOIN unnest(${param.texts('ids')}, ${param.timestamptzs('midnights')}) AS l (id, midnight)
    ON l.id = b.location_id
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.status <> 'cancelled' AND b.ends_at > l.midnight
    AND b.starts_at > ${param.date('date')}::timestamptz - interval '2 days'
  ORDER BY b.starts_at LIMIT 1`;

const FIRST_LOCATION = statement<{ id: string }>()`
  SELECT l.id FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE t.id = ${param.text('tenantId')}
  ORDER BY lower(coalesce(l.name->>t.default_locale, l.city)), l.id LIMIT 1`;

/**
 * Returns the location that a schedule shows if none is selected. This is the location of the first booking on or after
 * `date`. If there is no such booking, it is the first location by name.
 * @throws AppError not_found if the tenant has no location.
 */
export async function defaultLocation(tenantId: string, date: string): Promise<string> {
  const locations = await pool().query<{ id: string; time_zone: string }>(bind(LOCATIONS, { tenantId }));
  const ids = locations.rows.map(({ id }) => id);
  const midnights = locations.rows.map(
    ({ time_zone }) => new Date(localDayBounds(storedZone(time_zone), date).from * 60_000),
  );
  const { rows } = await pool().query<{ id: string }>(bind(BUSY_LOCATION, { tenantId, date, ids, midnights }));
  const found = rows[0] ?? (await pool().query<{ id: string }>(bind(FIRST_LOCATION, { tenantId }))).rows[0];
  if (!found) throw notFound();
  return found.id;
}
