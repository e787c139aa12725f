import type { Part } from '../../_components/policy';

/** What the parts of a policy are called. */
export const PART_NAMES: Record<Part, string> = {
  name: 'Name',
  scopes: 'Scopes',
  locations: 'Locations',
  origins: 'Allowed origins',
  networks: 'Allowed networks',
  quota: 'Requests per minute',
};

/** What the fields of a change in the audit log are called. */
export const FIELD_NAMES: Record<string, string> = {
  ...PART_NAMES,
  all_locations: 'Locations',
  location_ids: 'Locations',
  suspended: 'Suspended or resumed',
};
