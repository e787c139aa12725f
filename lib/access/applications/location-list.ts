import { db } from '@/lib/platform/db';

/** Locations that one answer holds; a tenant with more is beyond what a list of boxes can show. */
const MAX_LOCATIONS = 500;

/** A location as an owner picks it. */
export type LocationChoice = { id: string; name: string; city: string; published: boolean };

/** Returns the tenant's locations by name, in the tenant's own language. */
export async function listLocations(tenantId: string): Promise<LocationChoice[]> {
  return db().$queryRaw<LocationChoice[]>`
    SELECT l.id, coalesce(l.name->>t.default_locale, l.city) AS name, l.city, l.published
    FROM locations l JOIN tenants t ON t.id = l.tenant_id
    WHERE l.tenant_id = ${tenantId}
    ORDER BY lower(coalesce(l.name->>t.default_locale, l.city)), l.id
    LIMIT ${MAX_LOCATIONS}`;
}
