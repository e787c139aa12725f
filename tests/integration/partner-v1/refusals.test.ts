import { beforeAll, describe, expect, test } from 'vitest';
import { setOwnSystem, setSuspended } from '@/lib/access/applications/applications';
import { generateKey } from '@/lib/access/applications/key-format';
import { issueKey, revokeKey } from '@/lib/access/applications/keys';
import { OWN_SYSTEM_SCOPE, SCOPES, type Scope } from '@/lib/contract/common';
import { ALL_OPERATIONS, type Operation } from '@/lib/contract/operations';
import { comparable, everythingOf, expectRefusal } from '@/tests/support/booking-rows';
import { createClient } from '@/tests/support/client';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sendRaw } from '@/tests/support/raw';
import { sharedServer } from '@/tests/support/shared';
import { pathWith } from '../isolation/requests';
import { sendInvalid } from './invalid';

/** Refusals that every operation has (contract B2). They come before the query, the idempotency key, and the body. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const OVERRIDES = { 'x-http-method-override': 'GET', 'x-edge-method': 'GET', 'x-method-override': 'GET' };
const ORIGIN = 'https://partner.example';
const ELSEWHERE = ['203.0.113.0/24'];
const ALL_SCOPES: readonly Scope[] = [...SCOPES, OWN_SYSTEM_SCOPE];
const { origin } = sharedServer();

type Target = Pick<Operation, 'method' | 'path' | 'body' | 'scope'> & { id: string; reached: number };

/** `reached` is the status of the invalid request once it passes all that the tests refuse. */
const TARGETS: Target[] = [
  ...ALL_OPERATIONS.map((operation) => ({ ...operation, reached: 400 })),
  { id: 'an unknown route', method: 'GET', path: '/nothing', scope: null, reached: 404 },
];

let tenantId: string;
let keys: Record<'revoked' | 'none' | 'network' | 'origin' | 'suspended', string>;
let ofScope: Map<Scope, { without: string; only: string }>;
let anonymous: object;

const by = (applicationId: string) => ({ tenantId, applicationId, actor: { kind: 'system' } as const });

async function makeWith(scopes: readonly Scope[], policy: Parameters<typeof makeApplication>[1] = {}) {
  const granted = SCOPES.filter((scope) => scopes.includes(scope));
  const made = await makeApplication(tenantId, { ...policy, scopes: granted });
  if (scopes.includes(OWN_SYSTEM_SCOPE)) await setOwnSystem(new Date(), { ...by(made.applicationId), ownSystem: true });
  return made;
}

beforeAll(async () => {
  tenantId = (await makeTenant()).id;
  const [none, outside, inside, suspended] = [
    await makeWith([]),
    await makeWith([], { networks: ELSEWHERE, origins: [ORIGIN] }),
    await makeWith([], { networks: ['127.0.0.0/8'], origins: [ORIGIN] }),
    await makeWith([], { networks: ELSEWHERE, origins: [ORIGIN] }),
  ];
  await setSuspended(new Date(), { ...by(suspended.applicationId), suspended: true });
  const revoked = await issueKey(new Date(), { ...by(none.applicationId), name: 'Revoked', expiresAt: null });
  await revokeKey(new Date(), { ...by(none.applicationId), keyId: revoked.record.id });
  keys = {
    ...{ revoked: revoked.key, none: none.key },
    ...{ network: outside.key, origin: inside.key, suspended: suspended.key },
  };
  ofScope = new Map();
  for (const scope of ALL_SCOPES) {
    const without = await makeWith(ALL_SCOPES.filter((other) => other !== scope));
    ofScope.set(scope, { without: without.key, only: (await makeWith([scope])).key });
  }
  anonymous = comparable(await createClient({ origin })(CATALOG));
});

describe.each(TARGETS)('$id', (target) => {
  const send = (key?: string, headers = {}) => sendInvalid(target, { origin, key, headers });

  test('returns 401 without a key and for an unknown or revoked key, without a key the same for every path', async () => {
    const missing = await send();
    expectRefusal(missing, 401, 'invalid_api_key', 'missing');
    expect(missing.headers['www-authenticate']).toBe('Bearer');
    expect(comparable(missing)).toEqual(anonymous);
    for (const refused of await Promise.all([generateKey(), keys.revoked].map((key) => send(key))))
      expectRefusal(refused, 401, 'invalid_api_key');
  });

  test('returns 403 without its scope, which all other scopes together do not replace', async () => {
    const own = target.scope && ofScope.get(target.scope);
    if (own) expectRefusal(await send(own.without), 403, 'insufficient_scope');
    expect((await send(own ? own.only : keys.none)).status).toBe(target.reached);
  });

  test('returns 403 to a suspended application, from a network, and from an origin that is not allowed, in this order and before the scope', async () => {
    const reasons = ['suspended', 'ip', 'origin'];
    const refused = await Promise.all([keys.suspended, keys.network, keys.origin].map((key) => send(key)));
    for (const [index, reason] of reasons.entries())
      expect(refused[index]).toMatchObject({ status: 403, error: { code: 'credential_restricted', reason } });
    const allowed = await send(keys.origin, { origin: ORIGIN });
    expect(allowed.status).toBe(target.scope === null ? target.reached : 403);
    if (target.scope !== null) expectRefusal(allowed, 403, 'insufficient_scope');
  });
});

test('all operations and unknown routes count against one quota, which is checked before the route, the scope, and the query', async () => {
  const { key } = await makeWith([], { quota: TARGETS.length });
  const send = () =>
    Promise.all(TARGETS.map(async (target) => [target.id, (await sendInvalid(target, { origin, key })).status]));
  const first = TARGETS.map(({ id, scope, reached }) => [id, scope === null ? reached : 403]);
  expect(await send()).toEqual(first);
  expect(await send()).toEqual(TARGETS.map(({ id }) => [id, 429]));
});

const PATHS = [...new Set(ALL_OPERATIONS.map(({ path }) => path))];

test.each(PATHS)(
  '%s returns 405 with Allow for all other methods, whatever the scope, the body, and headers that override the method, and changes nothing',
  async (pattern) => {
    const allowed = ALL_OPERATIONS.filter(({ path }) => path === pattern)
      .map(({ method }) => method as string)
      .sort();
    const path = pathWith({ path: pattern }, 'x');
    const before = await everythingOf(tenantId);
    const client = createClient({ origin, key: keys.none });
    const methods = METHODS.filter((one) => !allowed.includes(one));
    const bodies = { POST: '{"limit":', PUT: '{"limit":', PATCH: '{"limit":' };
    const replies = await Promise.all(
      methods.map((method) => client(path, { method, headers: OVERRIDES, body: Reflect.get(bodies, method) })),
    );
    for (const [index, reply] of replies.entries()) {
      expect([methods[index], reply.status, reply.error.code]).toEqual([methods[index], 405, 'invalid_request']);
      expect(reply.headers.allow).toBe(allowed.join(', '));
      expect(reply.headers['access-control-allow-methods']).toBeUndefined();
    }
    expect(await everythingOf(tenantId)).toEqual(before);
  },
);

test('returns 405 with all headers and no body for HEAD', async () => {
  const { key } = await makeWith([], { quota: 7 });
  const sent = { method: 'HEAD', headers: { authorization: `Bearer ${key}` } };
  const { status, headers, text } = await sendRaw(origin, CATALOG, sent);
  expect({ status, text }).toEqual({ status: 405, text: '' });
  expect(headers).toMatchObject({
    allow: 'GET',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-ratelimit-limit': '7',
    'x-ratelimit-remaining': '6',
  });
  expect(headers['x-request-id']).toMatch(/^req_/);
});
