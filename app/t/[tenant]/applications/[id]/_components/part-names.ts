import type { Translator } from '@/app/_components/language';
import type { Part } from '../../_components/policy';

/** The fields of a change in the audit log, with the part of the policy that each of them belongs to. */
const FIELDS: Record<string, Part | 'status'> = {
  name: 'name',
  scopes: 'scopes',
  locations: 'locations',
  all_locations: 'locations',
  location_ids: 'locations',
  origins: 'origins',
  networks: 'networks',
  quota: 'quota',
  agents: 'agents',
  agents_ask: 'agents',
  suspended: 'status',
};

/** Returns the name that the page shows for the field of a change. The form uses the same names as labels. */
export function fieldName(t: Translator<'applications.parts'>, field: string): string {
  const part = FIELDS[field];
  return part ? t(part) : field;
}
