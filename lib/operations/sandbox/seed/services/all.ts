import { sandboxId } from '../ids';
import type { ServiceGroup } from '../types';
import { BEAUTY, BEAUTY_CATEGORY } from './beauty';
import { HAIR, HAIR_CATEGORY } from './hair';
import { MASSAGE, MASSAGE_CATEGORY } from './massage';
import { MOVEMENT, MOVEMENT_CATEGORY } from './movement';
import { PHYSIO, PHYSIO_CATEGORY } from './physio';
import { UNCATEGORIZED, WELLBEING, WELLBEING_CATEGORY } from './wellbeing';

/** All services of the sandbox, ordered by id. */
export const SERVICE_GROUPS = [
  { category: HAIR_CATEGORY, services: HAIR },
  { category: MASSAGE_CATEGORY, services: MASSAGE },
  { category: PHYSIO_CATEGORY, services: PHYSIO },
  { category: BEAUTY_CATEGORY, services: BEAUTY },
  { category: MOVEMENT_CATEGORY, services: MOVEMENT },
  { category: WELLBEING_CATEGORY, services: WELLBEING },
  { category: null, services: UNCATEGORIZED },
] as const satisfies readonly ServiceGroup[];

/** The key of a sandbox service. A misspelled key in a specialist's seed does not compile. */
export type ServiceKey = (typeof SERVICE_GROUPS)[number]['services'][number]['key'];

const NUMBERS = new Map<string, number>(
  SERVICE_GROUPS.flatMap((group) => group.services.map((service) => [service.key, service.number] as const)),
);

/**
 * Returns the fixed id of a service.
 * @throws Error if there is no service with this key.
 */
export function serviceId(key: ServiceKey): string {
  const number = NUMBERS.get(key);
  if (number === undefined) throw new Error(`no service ${key}`);
  return sandboxId('svc', number);
}
