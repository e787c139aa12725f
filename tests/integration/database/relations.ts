import { id, type Row } from './rows';

/** A change that leaves a row without what it refers to; `where` picks the rows, all of them unless given. */
type Orphan = { table: string; change: Row; where?: string };

const nobody = { tenant_id: id('ten', 9) };
const unreferenced = (prefix: string) => `id = '${id(prefix, 2)}'`;

/** Every foreign key in the database, by name, with changes that it must refuse: to nothing, and across tenants. */
export const FOREIGN_KEYS: Readonly<Record<string, readonly Orphan[]>> = {
  memberships_tenant_id_fkey: [{ table: 'memberships', change: nobody }],
  memberships_user_id_fkey: [{ table: 'memberships', change: { user_id: id('usr', 9) } }],
  locations_tenant_id_fkey: [{ table: 'locations', change: nobody, where: unreferenced('loc') }],
  services_tenant_id_fkey: [{ table: 'services', change: nobody, where: unreferenced('svc') }],
  specialists_tenant_id_fkey: [{ table: 'specialists', change: nobody, where: unreferenced('spc') }],
  applications_tenant_id_fkey: [{ table: 'applications', change: nobody, where: unreferenced('app') }],
  location_hours_location_id_fkey: [{ table: 'location_hours', change: { location_id: id('loc', 9) } }],
  location_exceptions_location_id_fkey: [{ table: 'location_exceptions', change: { location_id: id('loc', 9) } }],
  specialist_breaks_specialist_id_fkey: [{ table: 'specialist_breaks', change: { specialist_id: id('spc', 9) } }],
  specialist_time_off_specialist_id_fkey: [{ table: 'specialist_time_off', change: { specialist_id: id('spc', 9) } }],
  offerings_tenant_id_specialist_id_fkey: within('offerings', 'specialist_id', 'spc'),
  offerings_tenant_id_service_id_fkey: within('offerings', 'service_id', 'svc'),
  offerings_tenant_id_location_id_fkey: within('offerings', 'location_id', 'loc'),
  specialist_hours_tenant_id_specialist_id_fkey: within('specialist_hours', 'specialist_id', 'spc'),
  specialist_hours_tenant_id_location_id_fkey: within('specialist_hours', 'location_id', 'loc'),
  specialist_exceptions_tenant_id_specialist_id_fkey: within('specialist_exceptions', 'specialist_id', 'spc'),
  specialist_exceptions_tenant_id_location_id_fkey: within('specialist_exceptions', 'location_id', 'loc'),
  application_locations_tenant_id_application_id_fkey: within('application_locations', 'application_id', 'app'),
  application_locations_tenant_id_location_id_fkey: within('application_locations', 'location_id', 'loc'),
  api_keys_application_id_fkey: [
    { table: 'api_keys', change: { application_id: id('app', 9) }, where: `id = '${id('key', 3)}'` },
  ],
  api_keys_application_id_rotated_to_id_fkey: [
    { table: 'api_keys', change: { rotated_to_id: id('key', 9) }, where: `id = '${id('key', 2)}'` },
    // A key of another application.
    { table: 'api_keys', change: { rotated_to_id: id('key', 3) }, where: `id = '${id('key', 2)}'` },
  ],
};

/** Number 9 does not exist, number 2 belongs to the other tenant. */
function within(table: string, column: string, prefix: string): Orphan[] {
  return [9, 2].map((number) => ({ table, change: { [column]: id(prefix, number) } }));
}

/** Every unique index that is not a primary key and does not contain one, with a second row that it must refuse. */
export const UNIQUE: Readonly<Record<string, { table: string; copyOf: string; change: Row }>> = {
  users_email_key: { table: 'users', copyOf: id('usr', 1), change: { id: id('usr', 8) } },
  api_keys_key_hash_key: { table: 'api_keys', copyOf: id('key', 1), change: { id: id('key', 8) } },
  api_keys_application_id_rotated_to_id_key: {
    table: 'api_keys',
    copyOf: id('key', 2),
    change: { id: id('key', 8), key_hash: Buffer.alloc(32, 8) },
  },
};
