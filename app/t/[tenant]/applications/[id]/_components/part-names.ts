import type { Part } from '../../_components/policy';

/** The names of a policy's parts. The form uses the same names as labels. */
export const PART_NAMES: Record<Part, string> = {
  name: 'Name',
  scopes: 'Scopes',
  locations: 'Locations',
  origins: 'Allowed origins',
  networks: 'Allowed networks',
  quota: 'Requests per minute',
  agents: 'Agents',
};

/** The names that the page shows for the fields of a change in the audit log. */
export const FIELD_NAMES: Record<string, string> = {
  ...PART_NAMES,
  all_locations: 'Locations',
  location_ids: 'Locations',
  agents_ask: 'Agents',
  suspended: 'Status',
};
