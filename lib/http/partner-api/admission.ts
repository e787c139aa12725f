import { checkKeyFormat, hashKey } from '@/lib/access/applications/key-format';
import { isInNetworks } from '@/lib/access/applications/networks';
import { isKeyLive, type Policy, policyOfHash, timeOf } from '@/lib/access/applications/policy';
import type { Scope } from '@/lib/contract/common';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import {
  ALL_OPERATIONS,
  BASE_PATH,
  type Operation,
  type OperationId,
  readBooking,
  setTestClock,
} from '@/lib/contract/operations';
import { isAnswerToken } from '@/lib/platform/answer-token';
import { refreshFromNow } from '@/lib/platform/cache';
import { env } from '@/lib/platform/env';
import {
  chargeOfTenth,
  consumeFailure,
  consumeQuota,
  consumeTenantQuota,
  type Quota,
  readQuota,
} from '@/lib/platform/rate-limit/rate-limit';
import { type Call, headerOf } from './call';
import { awaitBegin, beginWork } from './work';

const STEPS = [checkRestrictions, checkRateLimit, beginWork, awaitBegin];

/** Steps 2 to 4 (contract B2). Returns refusals instead of throwing them, because most requests of a flood end here. */
export async function admit(call: Call): Promise<Policy | AppError> {
  const policy = await authenticate(call);
  if (policy instanceof AppError) return policy;
  for (const step of STEPS) {
    const refusal = await step(call, policy);
    if (refusal) return refusal;
  }
  return policy;
}

/** A key that only the application's clock lets expire can still set that clock back. */
const CLOCK_ROUTE = BASE_PATH + setTestClock.path;

/**
 * Step 2 (contract B2): returns the policy of the key, or a refusal, which counts against the failure quota of the
 * client's address: 429 above that quota, otherwise 401. A valid key is accepted even above the quota.
 */
async function authenticate(call: Call): Promise<Policy | AppError> {
  const presented = bearer(headerOf(call, 'authorization'));
  if (presented === null) return fail(call, 'missing', misplacedKey(call));
  const form = checkKeyFormat(presented);
  if (form !== 'well_formed') return fail(call, form);
  const policy = await policyOfHash(hashKey(presented).toString('base64'));
  if (!policy) return fail(call, null);
  // First, so that the log entry contains the application of an expired or revoked key.
  call.policy = policy;
  const now = call.route === CLOCK_ROUTE ? call.at : timeOf(policy, call.at);
  if (!isKeyLive(policy, now.getTime())) return fail(call, null);
  return policy;
}

function bearer(header: string | null): string | null {
  if (header?.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return header.slice(7).trim() || null;
}

async function fail(call: Call, reason: ReasonOf<'invalid_api_key'> | null, message?: string): Promise<AppError> {
  call.refused = true;
  call.quota = await consumeFailure(call.address);
  const { exceeded, retryAfter } = call.quota;
  if (exceeded) return new AppError('rate_limited', { reason: 'failed_authentication', retryAfter });
  return new AppError('invalid_api_key', { reason, ...(message && { message }) });
}

const SEND = 'Send the header Authorization: Bearer, followed by a space and the key.';

/** Characters of a header or query that are read. */
const MAX_READ = 2_000;

const HEADERS = ['x-api-key', 'api-key', 'x-auth-token', 'x-access-token'];
const PARAMETER = /(?:^|&)(?:api[_-]?key|key|access_token|token|authorization)=|=(?:bearer(?:\+|%20))?pbk_/i;

/**
 * Returns the message for a request without a Bearer key whose key seems to be in another place; undefined if there is
 * none. It depends only on the place: whether the key is valid is never checked, so the message tells nothing about it.
 */
function misplacedKey(call: Pick<Call, 'headers' | 'search'>): string | undefined {
  const authorization = headerOf(call, 'authorization')?.trim().slice(0, MAX_READ) ?? '';
  if (/^basic(?:\s|$)/i.test(authorization)) return `The key cannot be sent with Basic authentication. ${SEND}`;
  if (authorization !== '' && !/^bearer$/i.test(authorization))
    return `The Authorization header does not start with Bearer and a space. ${SEND}`;
  if (HEADERS.some((name) => headerOf(call, name))) return `The key was sent in another header. ${SEND}`;
  if (PARAMETER.test(call.search.slice(0, MAX_READ)))
    return `A key must not be in the URL, which logs can show: have it rotated. ${SEND}`;
  return undefined;
}

const MOVING = new AppError('service_unavailable', { retryAfter: 10 });

/**
 * Step 3 (contract B2): checks suspension, network, and origin, in this order. Returns a refusal or null. Requests of a
 * tenant that is being moved count against nothing, because the proxy soon sends them elsewhere.
 */
async function checkRestrictions(call: Call, policy: Policy): Promise<AppError | null> {
  if (policy.moving) return MOVING;
  const reason = restriction(call, policy);
  if (!reason) return null;
  call.refused = true;
  await consumeFailure(call.address);
  call.quota = await readQuota(policy.applicationId, policy.quota);
  return new AppError('credential_restricted', { reason });
}

function restriction(call: Call, policy: Policy): ReasonOf<'credential_restricted'> | null {
  if (policy.suspended) return 'suspended';
  if (policy.networks && !isInNetworks(call.address, policy.networks)) return 'ip';
  if (policy.origins.size > 0 && !policy.origins.has(headerOf(call, 'origin') ?? '')) return 'origin';
  return null;
}

/** A specialist day is one specialist on one day of an availability read (contract B9). */
const DAYS_PER_REQUEST = 100;

/** Step 4 (contract B2, B9): counts the request against the quotas of the application and its tenant. */
export async function checkRateLimit(call: Call, policy: Policy): Promise<AppError | null> {
  const own = await consumeQuota(policy.applicationId, policy.quota);
  // A request above the application's quota does not count against the tenant's quota, which all applications of the
  // tenant share.
  const { tenantId, tenantQuota } = policy;
  const quota =
    own.exceeded || tenantQuota === null ? own : tighter(own, await consumeTenantQuota(tenantId, tenantQuota));
  call.quota = quota;
  return quota.exceeded ? new AppError('rate_limited', { retryAfter: quota.retryAfter }) : null;
}

function tighter(own: Quota, shared: Quota): Quota {
  return shared.exceeded || shared.remaining < own.remaining ? shared : own;
}

/** Counts a large availability read (specialists × days) as several requests, but never refuses it (contract B9). */
export async function countSpecialistDays(call: Call, policy: Policy, days: number): Promise<void> {
  await countMore(call, policy, costOf(days) - 1);
}

/** Returns the number of requests as which an availability read counts (contract B9). */
export function costOf(specialistDays: number): number {
  return Math.max(1, Math.ceil(specialistDays / DAYS_PER_REQUEST));
}

/** Reduces the cost of a request that was counted as `cost` requests to a tenth, because its answer is 304 (contract B17). */
export async function refundUnchanged(call: Call, policy: Policy, cost: number): Promise<void> {
  await countMore(call, policy, (await chargeOfTenth(policy.applicationId, cost)) - cost);
}

async function countMore(call: Call, policy: Policy, more: number): Promise<void> {
  if (more === 0) return;
  const { applicationId, tenantId, quota, tenantQuota } = policy;
  const own = await consumeQuota(applicationId, quota, more);
  call.quota = tenantQuota === null ? own : tighter(own, await consumeTenantQuota(tenantId, tenantQuota, more));
}

type KnownPath = {
  pattern: string;
  methods: readonly string[];
  operations: ReadonlyMap<string, OperationId>;
  /** In LIVE, the path is unknown (contract B20). */
  testOnly: boolean;
  segments: readonly string[];
};

/** Matches the value of a variable path segment. It contains only characters that no URL parser changes. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,200}$/;

/** Maximum number of characters of a known path. A longer path is not split into segments. */
const MAX_PATH = 1_000;
/** Characters. The edge refuses much longer paths. */
const MAX_MALFORMED = 20_000;

function knownPaths(): KnownPath[] {
  const byPattern = new Map<string, Map<string, OperationId>>();
  const testOnly = new Set<string>();
  for (const { id, path, method, testOnly: only } of ALL_OPERATIONS) {
    byPattern.set(path, new Map([...(byPattern.get(path) ?? []), [method, id]]));
    if (only) testOnly.add(path);
  }
  return [...byPattern].map(([path, operations]) => ({
    pattern: BASE_PATH + path,
    methods: [...operations.keys()].sort(),
    operations,
    testOnly: testOnly.has(path),
    segments: (BASE_PATH + path).split('/'),
  }));
}

const KNOWN = knownPaths();
const FIXED = new Map(KNOWN.filter(({ pattern }) => !pattern.includes('{')).map((known) => [known.pattern, known]));
const VARIABLE = KNOWN.filter(({ pattern }) => pattern.includes('{'));

/**
 * Returns the known path whose pattern fits the path of a request; null if there is none. The request's path is not
 * normalized: a path with escapes, repeated or trailing slashes, or dot segments fits no pattern. There is no redirect
 * (contract B2).
 */
export function matchPath(path: string): KnownPath | null {
  const fixed = FIXED.get(path);
  if (fixed) return fixed;
  if (path.length > MAX_PATH) return null;
  const segments = path.split('/');
  return VARIABLE.find((known) => fits(known.segments, segments)) ?? null;
}

function fits(pattern: readonly string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, i) => (part.startsWith('{') ? SEGMENT.test(segments[i] ?? '') : part === segments[i]));
}

/**
 * Returns the name of the variable in a path that only a malformed id keeps from fitting a pattern; null if the path
 * fits none. Such an id gets the same 404 as an unknown one (contract B3).
 */
function malformedVariable(path: string): string | null {
  const segments = path.slice(0, MAX_MALFORMED).split('/');
  const near = VARIABLE.find(
    ({ segments: pattern }) =>
      pattern.length === segments.length &&
      pattern.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i])),
  );
  return near?.segments.find((part) => part.startsWith('{'))?.slice(1, -1) ?? null;
}

const WRONG_METHOD = 'The method is not allowed on this path. The Allow header lists those that are.';
/** Of a path whose name suggests another method for what is an action of its own. */
const CHANGES = 'To change a booking, send a POST to its path followed by /actions/cancel or /actions/reschedule.';

/** Returns the known path of a request. In LIVE, the paths of the sandbox are unknown (contract B20). */
export function knownPath(path: string): KnownPath | null {
  const match = matchPath(path);
  return match?.testOnly && env().ENVIRONMENT !== 'TEST' ? null : match;
}

/** Step 5 (contract B2) for an unknown path or method. Returns the 404 or 405, and the pattern of a known path. */
export function refuseRoute(path: string): { route: string | null; error: AppError } {
  const match = knownPath(path);
  if (!match) return { route: null, error: unknownPath(path) };
  const message = match.pattern === BASE_PATH + readBooking.path ? `${WRONG_METHOD} ${CHANGES}` : WRONG_METHOD;
  return { route: match.pattern, error: new AppError('invalid_request', { allow: match.methods, message }) };
}

function unknownPath(path: string): AppError {
  const variable = malformedVariable(path);
  return variable === null ? new AppError('not_found', { reason: 'unknown_route' }) : notFound(variable);
}

/** Step 5 (contract B2). @throws AppError insufficient_scope if the application does not have the scope. */
export function checkScope(policy: Policy, scope: Scope): void {
  if (!policy.scopes.has(scope)) throw new AppError('insufficient_scope');
}

/**
 * For a query with `min_token`: makes the caches of this process as new as the token, and returns the policy as it is then, or
 * a refusal. All that was committed before the request arrived is included, so also what the token stands for. Otherwise,
 * returns the given policy.
 * @throws AppError invalid_request for a token that was not made for this tenant; insufficient_scope.
 */
export async function notOlder(
  call: Call,
  policy: Policy,
  operation: Operation,
  { min_token: token }: { min_token?: string },
): Promise<Policy | AppError> {
  if (token === undefined) return policy;
  if (!isAnswerToken(policy.tenantId, token)) throw invalidField('min_token', 'must be a token of this business');
  await refreshFromNow();
  const current = await authenticate(call);
  if (current instanceof AppError) return current;
  const refusal = await checkRestrictions(call, current);
  if (refusal) return refusal;
  if (operation.scope !== null) checkScope(current, operation.scope);
  return current;
}
