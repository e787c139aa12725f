import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, freshAddress } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

let database: OwnDatabase;
let servers: TestServer[];

beforeAll(async () => {
  database = await ownDatabase();
  const options = { databaseUrl: database.url, env: { INSTANCES: 'auto' } };
  servers = await Promise.all([startServer(options), startServer(options)]);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
});

/** Returns one client for each server. Both clients have the same address. */
function clients(key?: string) {
  const address = freshAddress();
  return servers.map((server) => createClient({ origin: server.origin, key, address }));
}

test('instances share and report the same quota of an application', async () => {
  const { key } = await makeBusiness({ quota: 5 });
  const [one, two] = clients(key);
  const replies = [];
  for (const ask of [one, two, one, two, two, one, two]) if (ask) replies.push(await ask(CATALOG));
  expect(replies.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
    [200, '4'],
    [200, '3'],
    [200, '2'],
    [200, '1'],
    [200, '0'],
    [429, '0'],
    [429, '0'],
  ]);
  const resets = replies.map(({ headers }) => Number(headers['x-ratelimit-reset']));
  expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1);
  for (const { headers } of replies.slice(5)) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  }
});

test('concurrent requests to both instances never exceed the quota', async () => {
  const { key } = await makeBusiness({ quota: 8 });
  const asked = clients(key).flatMap((ask) => Array.from({ length: 12 }, () => ask(CATALOG)));
  const replies = await Promise.all(asked);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(8);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(16);
});

test('instances share the failure quota of an address', async () => {
  const [one, two] = clients();
  for (let i = 0; i < 30; i += 1) {
    const reply = await (i % 2 === 0 ? one : two)?.(CATALOG);
    expect([reply?.status, reply?.headers['x-ratelimit-remaining']]).toEqual([401, String(29 - i)]);
  }
  expect((await one?.(CATALOG))?.status).toBe(429);
  expect((await two?.(CATALOG))?.status).toBe(429);
});

test('a refused credential does not use the shared quota', async () => {
  const { key } = await makeBusiness({ quota: 5, networks: ['203.0.113.1'] });
  for (const ask of clients(key)) {
    const { status, headers } = await ask(CATALOG);
    expect([status, headers['x-ratelimit-remaining']]).toEqual([403, '5']);
  }
});

test('a changed limit applies to the used quota', async () => {
  const { key, applicationId } = await makeBusiness({ quota: 5 });
  const [one] = clients(key);
  await one?.(CATALOG);
  await database.query('UPDATE applications SET quota = 3 WHERE id = $1', [applicationId]);
  await database.query("INSERT INTO cache_versions (topic, id, version) VALUES ('policy', $1, gen_random_uuid())", [
    applicationId,
  ]);
  const changed = await until(
    async () => (await one?.(CATALOG))?.headers,
    (headers) => headers?.['x-ratelimit-limit'] === '3',
  );
  expect(Number(changed?.['x-ratelimit-remaining'])).toBeLessThanOrEqual(1);
});

test('while the quota store is unavailable, every response still has all headers', async () => {
  const { key } = await makeBusiness();
  const [one] = clients(key);
  const [nobody] = clients();
  await database.shut();
  for (let i = 0; i < 3; i += 1) {
    expect((await one?.(CATALOG))?.status).toBe(503);
    expect((await nobody?.(CATALOG))?.status).toBe(401);
  }
  await database.open();
  await until(
    async () => (await one?.(CATALOG))?.status,
    (status) => status === 200,
  );
});
