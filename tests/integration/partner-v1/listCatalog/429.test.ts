import { expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { createClient, freshAddress, type Reply } from '@/tests/support/client';
import { makeApplication, makeBusiness } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

/** Asserts that the quota resets within 60 seconds. For a 429, asserts that Retry-After states the same time. */
function expectWindow({ headers, status }: Reply): void {
  const left = Number(headers['x-ratelimit-reset']) - Date.now() / 1000;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(61);
  if (status !== 429) return;
  const wait = Number(headers['retry-after']);
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  // The two values can differ because of rounding and the time since the response.
  expect(Math.abs(wait - left)).toBeLessThanOrEqual(2);
}

test('counts the quota down to 429 with Retry-After', async () => {
  const { key } = await makeBusiness({ quota: 3 });
  const client = createClient({ origin, key });
  const seen = [];
  for (let i = 0; i < 5; i += 1) {
    const reply = await client(CATALOG);
    expect(reply.headers['x-ratelimit-limit']).toBe('3');
    expectWindow(reply);
    seen.push([reply.status, reply.headers['x-ratelimit-remaining']]);
    if (reply.status === 429) expect(reply.error).toMatchObject({ code: 'rate_limited', reason: null });
  }
  expect(seen).toEqual([
    [200, '2'],
    [200, '1'],
    [200, '0'],
    [429, '0'],
    [429, '0'],
  ]);
});

test('counts all keys and addresses of an application against one quota', async () => {
  const { tenant, applicationId, key } = await makeBusiness({ quota: 2 });
  const second = await issueKey(new Date(), {
    tenantId: tenant.id,
    applicationId,
    name: 'Second',
    expiresAt: null,
    actor: { kind: 'system' },
  });
  expect((await createClient({ origin, key })(CATALOG)).status).toBe(200);
  expect((await createClient({ origin, key: second.key })(CATALOG)).status).toBe(200);
  expect((await createClient({ origin, key })(CATALOG)).status).toBe(429);
  expect((await createClient({ origin, key: second.key })(CATALOG)).status).toBe(429);
  const other = await makeApplication(tenant.id, { quota: 2 });
  expect((await createClient({ origin, key: other.key })(CATALOG)).status).toBe(200);
});

test('never exceeds the quota with concurrent requests', async () => {
  const { key } = await makeBusiness({ quota: 10 });
  const client = createClient({ origin, key });
  const replies = await Promise.all(Array.from({ length: 40 }, () => client(CATALOG)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
});

test('counts 400, 404 and 405 responses against the quota', async () => {
  const { key } = await makeBusiness({ quota: 3 });
  const client = createClient({ origin, key });
  expect((await client(`${CATALOG}?limit=0`)).status).toBe(400);
  expect((await client(`${CATALOG}/`)).status).toBe(404);
  expect((await client(CATALOG, { method: 'POST' })).status).toBe(405);
  expect((await client(CATALOG)).status).toBe(429);
  expect((await client(CATALOG, { method: 'POST' })).status).toBe(429);
});

test('returns 429 for the 31st failure of an address in a minute, but still accepts a valid key from it', async () => {
  const address = freshAddress();
  const anonymous = createClient({ origin, address });
  for (let i = 1; i <= 30; i += 1) {
    const reply = await anonymous(CATALOG);
    expect(reply.status).toBe(401);
    expect(reply.headers).toMatchObject({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': String(30 - i) });
    expectWindow(reply);
  }
  const refused = await anonymous(CATALOG);
  expect(refused.status).toBe(429);
  expect(refused.error).toMatchObject({ code: 'rate_limited', reason: 'failed_authentication' });
  expect(refused.error.message).toContain('failed authentication');
  expectWindow(refused);
  const { key } = await makeBusiness();
  expect((await createClient({ origin, key, address })(CATALOG)).status).toBe(200);
  expect((await anonymous(CATALOG)).status).toBe(429);
  expect((await createClient({ origin })(CATALOG)).status).toBe(401);
});

test('counts all kinds of failures of an address together', async () => {
  const { key } = await makeBusiness();
  const address = freshAddress();
  const bad = [undefined, 'x', `${key}0`, key.replace('test', 'live')].map((wrong) =>
    createClient({ origin, address, key: wrong }),
  );
  for (let i = 0; i < 30; i += 1) expect((await bad[i % bad.length]?.(CATALOG))?.status).toBe(401);
  for (const client of bad) expect((await client(CATALOG)).status).toBe(429);
});
