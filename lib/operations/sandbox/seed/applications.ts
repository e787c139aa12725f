import type { Scope } from '@/lib/contract/common';
import { sandboxId } from './ids';

const READ_SCOPES: readonly Scope[] = ['catalog.read', 'availability.read'];
const ALL_SCOPES: readonly Scope[] = [...READ_SCOPES, 'booking.create', 'booking.manage', 'webhooks.manage'];

type ApplicationSeed = {
  readonly number: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null means all. */
  readonly locationIds: readonly string[] | null;
  readonly origins: readonly string[];
  readonly networks: readonly string[];
};

const SEEDS: readonly ApplicationSeed[] = [
  { number: 1, name: 'Full-access partner', scopes: ALL_SCOPES, locationIds: null, origins: [], networks: [] },
  { number: 2, name: 'Read-only partner', scopes: READ_SCOPES, locationIds: null, origins: [], networks: [] },
  {
    number: 3,
    name: 'One-location partner',
    scopes: READ_SCOPES,
    locationIds: [sandboxId('loc', 1)],
    origins: ['https://partner.example'],
    networks: ['127.0.0.0/8', '::1'],
  },
  {
    // Every request of this application is refused, because none can come from this network, which is reserved for
    // documentation.
    number: 4,
    name: 'Partner from another network',
    scopes: READ_SCOPES,
    locationIds: null,
    origins: [],
    networks: ['203.0.113.0/24'],
  },
  // For tests that one application cannot read another application's bookings.
  { number: 5, name: 'Second partner', scopes: ALL_SCOPES, locationIds: null, origins: [], networks: [] },
];

/** In the order of `credentials.json`. */
export const APPLICATIONS = SEEDS.map(({ number, name, scopes, locationIds, origins, networks }) => ({
  id: sandboxId('app', number),
  name,
  scopes: [...scopes],
  allLocations: locationIds === null,
  locationIds: [...(locationIds ?? [])],
  origins: [...origins],
  networks: [...networks],
}));
