import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { ALL_OPERATIONS, BASE_PATH, type Operation } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { type ApplicationRecord, checkPolicy, type PolicyInput } from './applications';
import { readApplication } from './detail';
import { isInNetworks, type Networks, parseNetworks } from './networks';
import { windowStart } from './traffic';

/** Groups of `admittedRequests`. A partner calls from few servers, so there are rarely more. */
const MAX_COMPARED = 5_000;
/** In one `RefusedRequests`. */
const MAX_GROUPS = 5;

/** In the order of the checks (contract B2). */
export const REFUSALS = ['ip', 'origin', 'insufficient_scope', 'location'] as const;

type Refusal = (typeof REFUSALS)[number];

/** Refused for the same reason, by address, origin, route, or location. */
export type RefusedRequests = {
  reason: Refusal;
  count: number;
  /**
   * `what` all requests of the group share: for `ip`, the address; for `origin`, the header; for `location`, its id if
   * known; otherwise the method and the route. Null if they lack it.
   */
  groups: { what: string | null; count: number; request_id: string }[];
  /** Groups that `groups` omits. */
  more: number;
};

/** On the requests of the last 24 hours. */
export type PolicyPreview = {
  since: Date;
  /** Admitted requests. */
  seen: number;
  /** Less than `seen` only if the requests differ too much to compare all (`MAX_COMPARED`). */
  checked: number;
  refused: number;
  /** Requests whose location the log does not tell, if the policy removes locations. */
  unknown: number;
  refusals: RefusedRequests[];
  /** Null if no minute exceeds the new quota. `excess` requests in `minutes`; the rest describes the busiest one. */
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
  ALL_OPERATIONS.map((operation) => [`${operation.method} ${BASE_PATH}${operation.path}`, operation]),
);

/**
 * Returns the effect that a policy would have had on the requests of the last 24 hours that the current one admits. A
 * log entry states a location only with a booking. Without one, the effect of removing locations is unknown, unless all
 * are removed: the policy then refuses every request except catalog reads.
 * @throws AppError not_found if the tenant has no such application; invalid_request if a field of the policy is
 * invalid.
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
  const removesLocations = losesLocations(before, after);
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
    unknown: sum(
      passing.filter((kind) => removesLocations && refusal(after, kind) === null && hasUnknownLocation(kind)),
    ),
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

function refusal(rules: Rules, seen: RequestGroup): Refusal | null {
  const { networks, origins, scopes } = rules;
  if (networks && !isInNetworks(seen.address ?? '', networks)) return 'ip';
  if (origins.size > 0 && !origins.has(seen.origin ?? '')) return 'origin';
  const operation = operationOf(seen);
  // A request with an unknown route or a wrong method fails under every policy.
  if (!operation) return null;
  // Any key may use such an operation, and no location matters.
  if (operation.scope === null) return null;
  if (!scopes.has(operation.scope)) return 'insufficient_scope';
  return lacksLocation(rules, seen, operation) ? 'location' : null;
}

function operationOf({ method, route }: RequestGroup): Operation | undefined {
  return OPERATIONS_OF_ROUTES.get(`${method} ${route}`);
}

function lacksLocation({ allLocations, locationIds }: Rules, seen: RequestGroup, { scope }: Operation): boolean {
  // A replay is not checked against the policy's locations (contract B8).
  if (allLocations || seen.replayed) return false;
  if (seen.location_id) return !locationIds.has(seen.location_id);
  return locationIds.size === 0 && seen.resolved && scope !== 'catalog.read';
}

/** The server checked the location of these requests, but the request log does not store it. */
function hasUnknownLocation(seen: RequestGroup): boolean {
  const operation = operationOf(seen);
  if (!operation?.scope || seen.location_id || seen.replayed || !seen.resolved) return false;
  return operation.scope !== 'catalog.read' || 'location_id' in operation.query.shape;
}

function losesLocations(before: Rules, after: Rules): boolean {
  if (after.allLocations) return false;
  return before.allLocations || [...before.locationIds].some((id) => !after.locationIds.has(id));
}

function groupKeyOf(reason: Refusal, seen: RequestGroup): string | null {
  if (reason === 'ip') return seen.address;
  if (reason === 'origin') return seen.origin;
  return (reason === 'location' && seen.location_id) || `${seen.method} ${seen.route}`;
}

function groupsOf(reason: Refusal, refused: readonly RequestGroup[]): RefusedRequests {
  const groups = new Map<string | null, { what: string | null; count: number; request_id: string }>();
  for (const seen of refused) {
    const what = groupKeyOf(reason, seen);
    const group = groups.get(what) ?? { what, count: 0, request_id: '' };
    group.count += seen.count;
    // Request ids sort by time.
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

/** Requests that are equal in everything that a policy checks. */
type RequestGroup = {
  method: string;
  route: string | null;
  address: string | null;
  origin: string | null;
  /** Of the booking that the request created, read, or changed, otherwise null. The request log stores no location. */
  location_id: string | null;
  /** Whether the location was resolved before the response: a success or a 409 (contract B2). */
  resolved: boolean;
  replayed: boolean;
  count: number;
  /** Of the latest request. */
  request_id: string;
};

type BusyMinute = { minute: Date; count: number; request_id: string };

/** They can have failed later, for example because a slot was taken. `total` includes the groups that are not returned. */
async function admittedRequests(
  tenantId: string,
  applicationId: string,
  since: Date,
): Promise<{ kinds: RequestGroup[]; total: number }> {
  const rows = await db().$queryRaw<(RequestGroup & { total: number })[]>`
    SELECT r.method, r.route, r.address, r.origin, b.location_id, r.status < 400 OR r.status = 409 AS resolved,
      r.replayed_from IS NOT NULL AS replayed, count(*)::int AS count, max(r.request_id) AS request_id,
      (sum(count(*)) OVER ())::int AS total
    FROM request_log r
      LEFT JOIN bookings b ON b.reference = r.booking_reference AND b.tenant_id = r.tenant_id
    WHERE r.tenant_id = ${tenantId} AND r.application_id = ${applicationId} AND r.at > ${since}::timestamptz
      AND r.request_id >= ${requestIdsFrom(since)}
      AND coalesce(r.code, '') NOT IN ('invalid_api_key', 'credential_restricted', 'insufficient_scope',
        'rate_limited', 'service_unavailable')
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    ORDER BY count DESC
    LIMIT ${MAX_COMPARED}`;
  return { kinds: rows.map(({ total: _, ...kind }) => kind), total: rows[0]?.total ?? 0 };
}

/** Returns the minutes with more than `quota` requests, busiest first. Earlier refusals do not count (contract B2). */
async function busyMinutes(tenantId: string, applicationId: string, since: Date, quota: number): Promise<BusyMinute[]> {
  return db().$queryRaw<BusyMinute[]>`
    SELECT date_trunc('minute', at) AS minute, count(*)::int AS count, max(request_id) AS request_id
    FROM request_log
    WHERE tenant_id = ${tenantId} AND application_id = ${applicationId} AND at > ${since}::timestamptz
      AND request_id >= ${requestIdsFrom(since)}
      AND coalesce(code, '') <> 'invalid_api_key' AND coalesce(reason, '') NOT IN ('suspended', 'ip', 'origin')
    GROUP BY 1 HAVING count(*) > ${quota}
    ORDER BY 2 DESC, 1 DESC`;
}
