import { sql } from '@/lib/platform/sql';

export type Named = { id: string; name: string };

export type Names = {
  service_name: string;
  specialist_name: string;
  location_name: string;
  application_name: string | null;
};

/** SQL that adds the names of the referenced records to a query of bookings `b`, in the tenant's default language. */
export const NAMES_SQL = {
  columns: sql`coalesce(s.name->>t.default_locale, s.id) AS service_name, p.display_name AS specialist_name,
    coalesce(l.name->>t.default_locale, l.city) AS location_name, a.name AS application_name`,
  joins: sql`JOIN tenants t ON t.id = b.tenant_id
      JOIN services s ON s.id = b.service_id
      JOIN specialists p ON p.id = b.specialist_id
      JOIN locations l ON l.id = b.location_id
      LEFT JOIN applications a ON a.id = b.application_id`,
};

type Ids = { service_id: string; specialist_id: string; location_id: string; application_id: string | null };

/** The records that a booking refers to. `application` is null for a booking of the business. */
export type BookingNames = Record<'service' | 'specialist' | 'location', Named> & { application: Named | null };

/** Returns the records that a booking refers to, with their names. */
export function namesOf(row: Ids & Names): BookingNames {
  return {
    service: { id: row.service_id, name: row.service_name },
    specialist: { id: row.specialist_id, name: row.specialist_name },
    location: { id: row.location_id, name: row.location_name },
    application: row.application_id === null ? null : { id: row.application_id, name: row.application_name ?? '' },
  };
}
