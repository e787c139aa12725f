import { beforeAll, describe, expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { generateKey } from '@/lib/access/applications/key-format';
import { issueKey, revokeKey } from '@/lib/access/applications/keys';
import { SCOPES } from '@/lib/contract/common';
import { OPERATIONS, type Operation } from '@/lib/contract/operations';
import { everythingOf, expectRefusal } from '@/tests/support/booking-rows';
import { createClient } from '@/tests/support/client';
import { makeApplication, makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { pathOf, sendInvalid } from './invalid';

/** Refusals that every operation has (contract B2). They come before the query, the idempotency key, and the body. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const ORIGIN = 'https://partner.example';
const { origin } = sharedServer();

let business: Awaited<ReturnType<typeof makeBusiness>>;

beforeAll(async () => {
  business = await makeBusiness();
});

/** Returns the key of a new application of the shared business. */
const keyWith = async (policy: Parameters<typeof makeApplication>[1]) =>
  (await makeApplication(business.tenant.id, policy)).key;

describe.each(OPERATIONS)('$id', (operation) => {
  test('returns 401 without a key and for an unknown or revoked key', async () => {
    const missing = await sendInvalid(operation, { origin });
    expectRefusal(missing, 401, 'invalid_api_key', 'missing');
    expect(missing.headers['www-authenticate']).toBe('Bearer');
    const { tenant, applicationId } = business;
    const by = { tenantId: tenant.id, applicationId, actor: { kind: 'system' } as const };
    const revoked = await issueKey(new Date(), { ...by, name: 'Revoked', expiresAt: null });
    await revokeKey(new Date(), { ...by, keyId: revoked.record.id });
    for (const key of [generateKey(), revoked.key]) {
      expectRefusal(await sendInvalid(operation, { origin, key }), 401, 'invalid_api_key');
    }
  });

  test('returns 403 without its scope, which all other scopes together do not replace', async () => {
    if (operation.scope === null) {
      const none = await keyWith({ scopes: [] });
      expect((await sendInvalid(operation, { origin, key: none })).status).toBe(400);
      return;
    }
    const key = await keyWith({ scopes: SCOPES.filter((scope) => scope !== operation.scope) });
    expectRefusal(await sendInvalid(operation, { origin, key }), 403, 'insufficient_scope');
    const only = await keyWith({ scopes: SCOPES.filter((scope) => scope === operation.scope) });
    expect((await sendInvalid(operation, { origin, key: only })).status).toBe(400);
  });

  test('returns 403 from a network or an origin that is not allowed, and to a suspended application', async () => {
    const byNetwork = await keyWith({ networks: ['203.0.113.0/24'] });
    expectRefusal(await sendInvalid(operation, { origin, key: byNetwork }), 403, 'credential_restricted', 'ip');
    const byOrigin = await keyWith({ origins: [ORIGIN] });
    expectRefusal(await sendInvalid(operation, { origin, key: byOrigin }), 403, 'credential_restricted', 'origin');
    const { applicationId, key } = await makeApplication(business.tenant.id);
    const by = { tenantId: business.tenant.id, applicationId, actor: { kind: 'system' } as const };
    await setSuspended(new Date(), { ...by, suspended: true });
    expectRefusal(await sendInvalid(operation, { origin, key }), 403, 'credential_restricted', 'suspended');
  });

  test('returns 429 once the quota of the application is used up', async () => {
    const key = await keyWith({ quota: 1 });
    expect((await sendInvalid(operation, { origin, key })).status).toBe(400);
    expectRefusal(await sendInvalid(operation, { origin, key }), 429, 'rate_limited');
  });
});

const PATHS = [...new Set(OPERATIONS.map(({ path }) => path))];

test.each(PATHS)('%s returns 405 with Allow for all other methods, and changes nothing', async (path) => {
  const ofPath = OPERATIONS.filter((one) => one.path === path);
  const allowed = ofPath.map(({ method }) => method).sort();
  const before = await everythingOf(business.tenant.id);
  for (const method of METHODS.filter((one) => !allowed.some((other) => other === one))) {
    const client = createClient({ origin, key: business.key });
    const reply = await client(pathOf(ofPath[0] as Operation), { method });
    expect([method, reply.status, reply.error.code]).toEqual([method, 405, 'invalid_request']);
    expect(reply.headers.allow).toBe(allowed.join(', '));
    expect(reply.headers['access-control-allow-methods']).toBeUndefined();
  }
  expect(await everythingOf(business.tenant.id)).toEqual(before);
});
