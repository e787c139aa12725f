import { BASE_PATH, OPERATIONS, type Operation } from '@/lib/contract/operations';
import { type ApplicationRecord, checkPolicy, type PolicyInput } from './applications';
import { readApplication } from './detail';
import { isInNetworks, type Networks, parseNetworks } from './networks';
import { admittedRequests, busyMinutes, type SeenRequests } from './seen-traffic';
import { windowStart } from './traffic';

/** Groups of refused requests that are named; the rest is counted. */
const MAX_GROUPS = 5;

/** Why a policy refuses a request, in the order of the checks (contract B2). */
export const REFUSALS = ['ip', 'origin', 'insufficient_scope', 'location'] as const;

type Refusal = (typeof REFUSALS)[number];

/** Requests that would be refused for one reason, by what makes them so: an address, an origin, a route, a location. */
export type RefusedRequests = {
  reason: Refusal;
  count: number;
  /** `what` is null where a request named nothing, such as no Origin; of an unknown location it is the route. */
  groups: { what: string | null; count: number; request_id: string }[];
  /** Groups beyond those named. */
  more: number;
};

/** What a policy would do to the requests of the last 24 hours. */
export type PolicyPreview = {
  since: Date;
  /** Requests that the policy of their time let through. */
  seen: number;
  /** Of these, the ones that were compared; fewer only when there are very many kinds. */
  checked: number;
  refused: number;
  /** Neither refused for sure nor let through for sure: locations are taken away, and the log does not say theirs. */
  unknown: number;
  refusals: RefusedRequests[];
  /** Minutes with more requests than the new quota allows; null when there were none, or the quota does not fall. */
  quota: { minutes: number; excess: number; peak: number; peak_at: Date; request_id: string } | null;
};

type Rules = {
  networks: Networks | null;
  origins: ReadonlySet<string>;
  scopes: ReadonlySet<string>;
  allLocations: boolean;
  locationIds: ReadonlySet<string>;
};

const OPERATIONS_OF_ROUTES = new Map<string, Operation>(
  OPERATIONS.map((operation) => [`${operation.method} ${BASE_PATH}${operation.path}`, operation]),
);

/**
 * Tells what a policy would have done to the requests of the last 24 hours that passed and that the present policy
 * still lets through. Only what the log knows is said: a location only where a request named a booking. Once no location
 * is left that does not matter, as everything but the catalog needs one.
 * @throws AppError not_found, or invalid_request naming the field that is wrong.
 */
export async function previewPolicy(
  now: Date,
  tenantId: string,
  applicationId: string,
  input: PolicyInput,
): Promise<PolicyPreview> {
  checkPolicy(input);
  const present = await readApplication(now, tenantId, applicationId);
  const since = windowStart(now);
  const [{ kinds, total }, minutes] = await Promise.all([
    admittedRequests(tenantId, applicationId, since),
    input.quota < present.quota ? busyMinutes(tenantId, applicationId, since, input.quota) : [],
  ]);
  const before = rulesOf({
    ...present,
    allLocations: present.all_locations,
    locationIds: present.location_ids,
  });
  const after = rulesOf(input);
  const passing = kinds.filter((kind) => refusal(before, kind) === null);
  const takesLocations = losesLocations(before, after);
  const refusals = REFUSALS.flatMap((reason) => {
    const refused = passing.filter((kind) => refusal(after, kind) === reason);
    return refused.length > 0 ? [groupsOf(reason, refused)] : [];
  });
  const [peak] = minutes;
  return {
    since,
    seen: total,
    checked: sum(kinds),
    refused: sum(refusals),
    unknown: sum(passing.filter((kind) => takesLocations && refusal(after, kind) === null && hidesLocation(kind))),
    refusals,
    quota: peak
      ? {
          minutes: minutes.length,
          excess: sum(minutes) - minutes.length * input.quota,
          peak: peak.count,
          peak_at: peak.minute,
          request_id: peak.request_id,
        }
      : null,
  };
}

type RuleColumns = Pick<PolicyInput | ApplicationRecord, 'allLocations' | 'locationIds' | 'networks' | 'origins'> & {
  scopes: readonly string[];
};

function rulesOf({ networks, origins, scopes, allLocations, locationIds }: RuleColumns): Rules {
  return {
    networks: networks.length > 0 ? parseNetworks(networks) : null,
    origins: new Set(origins),
    scopes: new Set(scopes),
    allLocations,
    locationIds: new Set(locationIds),
  };
}

function refusal(rules: Rules, seen: SeenRequests): Refusal | null {
  const { networks, origins, scopes } = rules;
  if (networks && !isInNetworks(seen.address ?? '', networks)) return 'ip';
  if (origins.size > 0 && !origins.has(seen.origin ?? '')) return 'origin';
  const operation = operationOf(seen);
  // An unknown route or a wrong method needs no scope: it was refused for what it is, and stays so.
  if (!operation) return null;
  if (!scopes.has(operation.scope)) return 'insufficient_scope';
  return lacksLocation(rules, seen, operation) ? 'location' : null;
}

function operationOf({ method, route }: SeenRequests): Operation | undefined {
  return OPERATIONS_OF_ROUTES.get(`${method} ${route}`);
}

function lacksLocation({ allLocations, locationIds }: Rules, seen: SeenRequests, { scope }: Operation): boolean {
  // A stored success is given again whatever has become of the locations (contract B8).
  if (allLocations || seen.replayed) return false;
  if (seen.location_id) return !locationIds.has(seen.location_id);
  return locationIds.size === 0 && seen.resolved && scope !== 'catalog.read';
}

/** Tells whether a request that got as far as its location has one that is not in the log. */
function hidesLocation(seen: SeenRequests): boolean {
  const operation = operationOf(seen);
  if (!operation || seen.location_id || seen.replayed || !seen.resolved) return false;
  return operation.scope !== 'catalog.read' || 'location_id' in operation.query.shape;
}

function losesLocations(before: Rules, after: Rules): boolean {
  if (after.allLocations) return false;
  return before.allLocations || [...before.locationIds].some((id) => !after.locationIds.has(id));
}

function whatOf(reason: Refusal, seen: SeenRequests): string | null {
  if (reason === 'ip') return seen.address;
  if (reason === 'origin') return seen.origin;
  return (reason === 'location' && seen.location_id) || `${seen.method} ${seen.route}`;
}

function groupsOf(reason: Refusal, refused: readonly SeenRequests[]): RefusedRequests {
  const groups = new Map<string | null, { what: string | null; count: number; request_id: string }>();
  for (const seen of refused) {
    const what = whatOf(reason, seen);
    const group = groups.get(what) ?? { what, count: 0, request_id: '' };
    group.count += seen.count;
    // Ids sort by time: the newest example stays.
    if (seen.request_id > group.request_id) group.request_id = seen.request_id;
    groups.set(what, group);
  }
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count);
  return {
    reason,
    count: sum(refused),
    groups: sorted.slice(0, MAX_GROUPS),
    more: Math.max(0, sorted.length - MAX_GROUPS),
  };
}

function sum(counted: readonly { count: number }[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}
