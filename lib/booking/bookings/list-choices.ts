import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import type { Named } from './names';

/** Of one kind. A user can put the id of any other record into the page's URL. */
const MAX_CHOICES = 500;

export type BookingChoices = Record<'locations' | 'services' | 'specialists' | 'applications', Named[]>;

type Row = Named & { kind: keyof BookingChoices };

const CHOICES = statement<Row>()`
  SELECT kind, id, name FROM (
    SELECT 'locations' AS kind, l.id, coalesce(l.name->>t.default_locale, l.city) AS name
      FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE t.id = ${param.text('tenantId')}
    UNION ALL SELECT 'services', s.id, coalesce(s.name->>t.default_locale, s.id)
      FROM services s JOIN tenants t ON t.id = s.tenant_id WHERE t.id = ${param.text('tenantId')}
    UNION ALL SELECT 'specialists', id, display_name FROM specialists WHERE tenant_id = ${param.text('tenantId')}
    UNION ALL SELECT 'applications', id, name FROM applications WHERE tenant_id = ${param.text('tenantId')}) AS choice
  ORDER BY lower(name), id`;

/** Returns a tenant's filter choices, ordered by name. Unpublished records can have bookings. */
export async function bookingChoices(tenantId: string): Promise<BookingChoices> {
  const { rows } = await pool().query<Row>(bind(CHOICES, { tenantId }));
  const of = (choice: keyof BookingChoices) =>
    rows.flatMap(({ kind, id, name }) => (kind === choice ? [{ id, name }] : [])).slice(0, MAX_CHOICES);
  return {
    locations: of('locations'),
    services: of('services'),
    specialists: of('specialists'),
    applications: of('applications'),
  };
}
