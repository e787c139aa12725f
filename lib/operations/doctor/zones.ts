import { knownZone } from '@/lib/booking/bookings/derive-local';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { withClient } from '../environment/connection';
import type { Urls } from './database';
import { type Finding, ok, wrong } from './findings';

const NAMES = `
  SELECT time_zone AS name, id FROM locations UNION ALL SELECT time_zone, id FROM tenants ORDER BY id LIMIT 100000`;

/** Maximum number of records that a finding names. */
const MAX_NAMED = 5;

/** States which time zone rules run, and finds locations and businesses whose stored time zone is unknown. */
export async function checkZones({ directUrl }: Urls): Promise<Finding[]> {
  const { rows } = await withClient(directUrl, (client) => client.query<{ name: string; id: string }>(NAMES));
  const unknown = rows.filter(({ name }) => knownZone(name) === null).map(({ id }) => id);
  if (unknown.length === 0)
    return [ok(`The time zone rules are those of ${ZONE_RULES}. Every stored time zone is known.`)];
  const named = `${unknown.slice(0, MAX_NAMED).join(', ')}${unknown.length > MAX_NAMED ? ', …' : ''}`;
  const text = `The time zone of ${unknown.length} locations or businesses is unknown to the rules ${ZONE_RULES}: ${named}. Such a location counts as closed.`;
  return [wrong(text, 'Select a time zone for each of them in the Control Center.')];
}
