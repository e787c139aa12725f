import { pool } from '@/lib/platform/db';
import type { Named } from './names';

/** Records of one kind that one answer holds; a tenant with more filters by address. */
const MAX_CHOICES = 500;

/** What the Bookings page can be narrowed to. */
export type BookingChoices = Record<'locations' | 'services' | 'specialists' | 'applications', Named[]>;

const CHOICES = `
  SELECT kind, id, name FROM (
    SELECT 'locations' AS kind, l.id, coalesce(l.name->>t.default_locale, l.city) AS name
      FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE t.id = $1
    UNION ALL SELECT 'services', s.id, coalesce(s.name->>t.default_locale, s.id)
      FROM services s JOIN tenants t ON t.id = s.tenant_id WHERE t.id = $1
    UNION ALL SELECT 'specialists', id, display_name FROM specialists WHERE tenant_id = $1
    UNION ALL SELECT 'applications', id, name FROM applications WHERE tenant_id = $1) AS choice
  ORDER BY lower(name), id`;

/** Returns what the bookings of a tenant can be narrowed to, by name, unpublished records too: they may have some. */
export async function bookingChoices(tenantId: string): Promise<BookingChoices> {
  const { rows } = await pool().query<Named & { kind: keyof BookingChoices }>(CHOICES, [tenantId]);
  const of = (wanted: keyof BookingChoices) =>
    rows.flatMap(({ kind, id, name }) => (kind === wanted ? [{ id, name }] : [])).slice(0, MAX_CHOICES);
  return {
    locations: of('locations'),
    services: of('services'),
    specialists: of('specialists'),
    applications: of('applications'),
  };
}
