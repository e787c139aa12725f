import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { reachedLocations } from '@/lib/platform/tenant-scope';
import type { Named } from './summary';

/** Of one kind. A user can put the id of any other record into the page's URL. */
const MAX_CHOICES = 500;

export type BookingChoices = Record<'locations' | 'services' | 'specialists' | 'applications', Named[]>;

type Row = Named & { kind: keyof BookingChoices };

const ALL = param.boolean('all');
const IDS = param.texts('ids');

const CHOICES = statement<Row>()`
  SELECT kind, id, name FROM (
    SELECT 'locations' AS kind, l.id, coalesce(l.name->>t.default_locale, l.city) AS name
      FROM locations l JOIN tenants t ON t.id = l.tenant_id WHERE t.id = ${param.text('tenantId')}
        AND (${ALL} OR l.id = ANY(${IDS}))
    UNION ALL SELECT 'services', s.id, coalesce(s.name->>t.default_locale, s.id)
      FROM services s JOIN tenants t ON t.id = s.tenant_id WHERE t.id = ${param.text('tenantId')}
        AND (${ALL} OR EXISTS (SELECT FROM offerings o WHERE o.service_id = s.id AND o.location_id = ANY(${IDS})))
    UNION ALL SELECT 'specialists', p.id, p.display_name FROM specialists p WHERE p.tenant_id = ${param.text('tenantId')}
      AND (${ALL} OR EXISTS (SELECT FROM offerings o WHERE o.specialist_id = p.id AND o.location_id = ANY(${IDS})))
    UNION ALL SELECT 'applications', id, name FROM applications WHERE tenant_id = ${param.text('tenantId')}) AS choice
  ORDER BY lower(name), id`;

/**
 * Returns a tenant's filter choices, ordered by name. Unpublished records can have bookings. A member who is limited to
 * locations gets these, and the services and specialists that are offered there.
 */
export async function bookingChoices(tenantId: string): Promise<BookingChoices> {
  const reached = reachedLocations();
  const { rows } = await pool().query<Row>(bind(CHOICES, { tenantId, all: reached === null, ids: reached ?? [] }));
  const of = (choice: keyof BookingChoices) =>
    rows.flatMap(({ kind, id, name }) => (kind === choice ? [{ id, name }] : [])).slice(0, MAX_CHOICES);
  return {
    locations: of('locations'),
    services: of('services'),
    specialists: of('specialists'),
    applications: of('applications'),
  };
}
