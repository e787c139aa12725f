import { db } from '@/lib/platform/db';

/** The policy editor shows a checkbox for each. */
const MAX_LOCATIONS = 500;

export type LocationChoice = { id: string; name: string; city: string; published: boolean };

/** Returns the tenant's locations, ordered by their names in the tenant's default language. */
export async function listLocations(tenantId: string): Promise<LocationChoice[]> {
  return db().$queryRaw<LocationChoice[]>`
    SELECT l.id, coalesce(l.name->>t.default_locale, l.city) AS name, l.city, l.published
    FROM locations l JOIN tenants t ON t.id = l.tenant_id
    WHERE l.tenant_id = ${tenantId}
    ORDER BY lower(coalesce(l.name->>t.default_locale, l.city)), l.id
    LIMIT ${MAX_LOCATIONS}`;
}
