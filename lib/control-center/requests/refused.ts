import type { Refused } from '@/lib/activity/request-log/log-entry';
import { pool } from '@/lib/platform/db';
import { bind, nullable, param, statement } from '@/lib/platform/sql';

/** A service, location, or specialist in a refused write. The name is null if the tenant has no such record. */
type NamedRecord = { id: string; name: string | null };

/** What a refused booking write requested. Unknown fields are null. */
export type RefusedBooking = {
  service: NamedRecord | null;
  location: (NamedRecord & { time_zone: string | null }) | null;
  specialist: NamedRecord | null;
  date: string | null;
  start_time: string | null;
};

type Names = {
  service: string | null;
  location: string | null;
  specialist: string | null;
  time_zone: string | null;
};

// The names are in the tenant's default language.
const NAMES = statement<Names>()`
  SELECT coalesce(s.name->>t.default_locale, s.id) AS service, p.display_name AS specialist,
    coalesce(l.name->>t.default_locale, l.city) AS location, l.time_zone
  FROM tenants t
    LEFT JOIN services s ON s.tenant_id = t.id AND s.id = ${nullable(param.text('serviceId'))}
    LEFT JOIN locations l ON l.tenant_id = t.id AND l.id = ${nullable(param.text('locationId'))}
    LEFT JOIN specialists p ON p.tenant_id = t.id AND p.id = ${nullable(param.text('specialistId'))}
  WHERE t.id = ${param.text('tenantId')}`;

/** Returns what a refused write requested. Adds the names of the requested records that exist in the tenant. */
export async function readRefused(tenantId: string, refused: Refused): Promise<RefusedBooking> {
  const { service_id: serviceId, location_id: locationId, specialist_id: specialistId, date, start_time } = refused;
  const ids = { serviceId: serviceId ?? null, locationId: locationId ?? null, specialistId: specialistId ?? null };
  const { rows } = await pool().query<Names>(bind(NAMES, { tenantId, ...ids }));
  const names = rows[0];
  return {
    service: serviceId ? { id: serviceId, name: names?.service ?? null } : null,
    location: locationId
      ? { id: locationId, name: names?.location ?? null, time_zone: names?.time_zone ?? null }
      : null,
    specialist: specialistId ? { id: specialistId, name: names?.specialist ?? null } : null,
    date: date ?? null,
    start_time: start_time ?? null,
  };
}
