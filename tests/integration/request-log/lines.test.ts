import { expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { issueKey, revokeKey } from '@/lib/access/applications/keys';
import { touchKeys } from '@/lib/activity/request-log/buffer';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { createClient, freshAddress } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG, SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { entryOf } from '../../unit/request-log/entries';
import { rowOf, rowsOf } from './rows';

const { origin } = sharedServer();
const EMPTY = { idempotency_key_hash: null, replayed_from: null, booking_reference: null, external_reference: null };

async function make(policy: Parameters<typeof makeBusiness>[0] = {}) {
  const business = await makeBusiness(policy);
  const address = freshAddress();
  const { tenant, applicationId, keyId } = business;
  const known = { tenant_id: tenant.id, application_id: applicationId, key_id: keyId, address };
  return { ...business, client: createClient({ origin, key: business.key, address }), known };
}

test('a success has exactly one entry within a second, with client, route, address, and time', async () => {
  const { client, known } = await make();
  const startedAt = Date.now();
  const headers = { 'user-agent': 'partner/1.0', origin: 'https://partner.example' };
  const { requestId } = await client(`${CATALOG}?limit=5`, { headers });
  const answered = Date.now();
  await until(
    () => rowsOf(requestId),
    (rows) => rows.length === 1,
    1000,
  );
  const row = await rowOf(requestId);
  expect(row).toMatchObject({
    ...EMPTY,
    ...known,
    method: 'GET',
    route: CATALOG,
    path: CATALOG,
    status: 200,
    code: null,
    reason: null,
    invalid_fields: [],
    origin: 'https://partner.example',
    user_agent: 'partner/1.0',
  });
  const at = (row.at as Date).getTime();
  expect(at).toBeGreaterThanOrEqual(startedAt);
  expect(at).toBeLessThanOrEqual(answered);
  expect(row.duration_ms).toBeGreaterThan(0);
  expect(row.duration_ms).toBeLessThanOrEqual(answered - startedAt + 1);
});

test('an invalid request is logged with the names of its invalid fields, without values', async () => {
  const { client, known } = await make();
  const { requestId } = await client(withQuery(CATALOG, { limit: 'ninety', 'jo@example.com': 'x', color: 'blue' }));
  const row = await rowOf(requestId);
  expect(row).toMatchObject({ ...known, status: 400, code: 'invalid_request', reason: 'unknown_field', path: CATALOG });
  expect([...(row.invalid_fields as string[])].sort()).toEqual(['*', 'color', 'limit']);
  expect(JSON.stringify(row)).not.toMatch(/ninety|example\.com|blue/);
});

test('a failure with an unknown key has no application, and its address is not stored', async () => {
  for (const key of [undefined, generateKey(), 'nonsense', generateKey().replace('test', 'live')]) {
    const { requestId, error } = await createClient({ origin, key })(CATALOG);
    expect(await rowOf(requestId)).toMatchObject({
      ...EMPTY,
      tenant_id: null,
      application_id: null,
      key_id: null,
      address: null,
      route: CATALOG,
      status: 401,
      code: 'invalid_api_key',
      reason: error.reason,
    });
  }
});

test('a failure with a revoked or expired key belongs to its application', async () => {
  const { tenant, applicationId, key, keyId, client, known } = await make();
  const actor = { kind: 'system' } as const;
  const past = new Date(Date.now() - 60_000);
  const expired = await issueKey(past, {
    tenantId: tenant.id,
    applicationId,
    name: 'Old',
    expiresAt: new Date(past.getTime() + 1000),
    actor,
  });
  await revokeKey(new Date(), { tenantId: tenant.id, keyId, actor });
  const refused = await until(
    () => client(CATALOG),
    ({ status }) => status === 401,
  );
  expect(await rowOf(refused.requestId)).toMatchObject({
    ...known,
    status: 401,
    code: 'invalid_api_key',
    reason: null,
  });
  const { requestId } = await createClient({ origin, key: expired.key, address: known.address })(CATALOG);
  expect(await rowOf(requestId)).toMatchObject({ ...known, key_id: expired.record.id, status: 401 });
  expect(key).not.toBe(expired.key);
});

test('refusals by scope, credential, record, and method are logged with code and reason', async () => {
  const scopeless = await make({ scopes: [] });
  const first = await scopeless.client(CATALOG);
  expect(await rowOf(first.requestId)).toMatchObject({
    ...scopeless.known,
    status: 403,
    code: 'insufficient_scope',
    route: CATALOG,
  });
  const restricted = await make({ networks: ['203.0.113.1'] });
  const second = await restricted.client(CATALOG);
  expect(await rowOf(second.requestId)).toMatchObject({
    ...restricted.known,
    status: 403,
    code: 'credential_restricted',
    reason: 'ip',
  });
  const { client, known } = await make();
  const third = await client(`${SPECIALISTS}?service_id=nothing`);
  expect(await rowOf(third.requestId)).toMatchObject({
    ...known,
    status: 404,
    code: 'not_found',
    route: SPECIALISTS,
    path: SPECIALISTS,
  });
  const fourth = await client(CATALOG, { method: 'DELETE' });
  expect(await rowOf(fourth.requestId)).toMatchObject({
    ...known,
    method: 'DELETE',
    status: 405,
    code: 'invalid_request',
    route: CATALOG,
  });
});

test('an unknown route is logged without its path, which may contain anything', async () => {
  const { client, known } = await make();
  const { requestId } = await client(`${BASE_PATH}/customers/jo@example.com?phone=49`);
  const row = await rowOf(requestId);
  expect(row).toMatchObject({ ...known, status: 404, code: 'not_found', route: null, path: null });
  expect(JSON.stringify(row)).not.toMatch(/customers|example/);
});

test('a request above the quota is logged, as is a failure above the limit of its address', async () => {
  const { client, known } = await make({ quota: 1 });
  await client(CATALOG);
  const limited = await client(CATALOG);
  expect(await rowOf(limited.requestId)).toMatchObject({ ...known, status: 429, code: 'rate_limited', route: CATALOG });
  const nobody = createClient({ origin });
  for (let i = 0; i < 30; i += 1) await nobody(CATALOG);
  const { status, requestId } = await nobody(CATALOG);
  expect(status).toBe(429);
  expect(await rowOf(requestId)).toMatchObject({ status: 429, tenant_id: null, address: null });
});

test('an address above its failure quota is logged once more, then only counted', async () => {
  const nobody = createClient({ origin });
  for (let i = 0; i < 31; i += 1) await nobody(CATALOG);
  const later = await nobody(CATALOG);
  const other = await createClient({ origin })(CATALOG);
  // Log entries are written in the order of the requests. If the request `later` had an entry, this entry would be in
  // the database before the entry of the request `other`.
  expect(await rowOf(other.requestId)).toMatchObject({ status: 401 });
  expect(await db().requestLog.findUnique({ where: { requestId: later.requestId } })).toBeNull();
});

test('a hundred concurrent requests have a hundred entries', async () => {
  const { client, tenant } = await make();
  const replies = await Promise.all(Array.from({ length: 100 }, () => client(CATALOG)));
  const lines = await until(
    () => db().requestLog.findMany({ where: { tenantId: tenant.id }, select: { requestId: true } }),
    (rows) => rows.length >= 100,
  );
  expect(lines.map(({ requestId }) => requestId).sort()).toEqual(replies.map(({ requestId }) => requestId).sort());
});

test('the client’s request id is not used', async () => {
  const { client } = await make();
  const sentId = 'req_01arz3ndektsv4rrffq69g5fav';
  const { requestId } = await client(CATALOG, { headers: { 'x-request-id': sentId } });
  expect(requestId).not.toBe(sentId);
  await rowOf(requestId);
  expect(await rowsOf(sentId)).toEqual([]);
});

test('the last use of a key is stored', async () => {
  const { client, keyId } = await make();
  const read = async () => (await db().apiKey.findUniqueOrThrow({ where: { id: keyId } })).lastUsedAt;
  expect(await read()).toBeNull();
  for (let i = 0; i < 2; i += 1) {
    const { requestId } = await client(CATALOG);
    const at = ((await rowOf(requestId)).at as Date).getTime();
    const used = await until(read, (moment) => (moment?.getTime() ?? 0) >= at);
    expect(used?.getTime()).toBe(at);
  }
});

test('a request with an expired or revoked key is not a use of the key', async () => {
  const { keyId } = await make();
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const used = (minutes: number, code: string | null) =>
    entryOf(1, { key_id: keyId, at: at(minutes).toISOString(), code });
  const read = async () => (await db().apiKey.findUniqueOrThrow({ where: { id: keyId } })).lastUsedAt?.getTime();
  await db().apiKey.update({ where: { id: keyId }, data: { expiresAt: at(5) } });
  const last = used(4, null);
  await touchKeys([last, used(6, 'invalid_api_key')]);
  expect(await read()).toBe(Date.parse(last.at));
  await touchKeys([used(6, null)]);
  expect(await read()).toBe(Date.parse(last.at));
  await db().apiKey.update({ where: { id: keyId }, data: { revokedAt: at(4.2) } });
  await touchKeys([used(4.1, null)]);
  expect(await read()).toBe(Date.parse(last.at));
});
