import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { revokeKey, rotateKey } from '@/lib/access/applications/keys';
import { listCatalog } from '@/lib/contract/operations';
import { markChanged } from '@/lib/platform/cache';
import { type Db, db } from '@/lib/platform/db';
import { createClient, freshAddress, type Reply } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { startTcpProxy, type TcpProxy } from '@/tests/support/tcp-proxy';
import { until } from '@/tests/support/until';

const SYSTEM = { kind: 'system' } as const;

let database: OwnDatabase;
let proxy: TcpProxy;
let one: TestServer;
let two: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  proxy = await startTcpProxy(database.url);
  const shared = { databaseUrl: database.url };
  [one, two] = await Promise.all([
    startServer({ ...shared, env: { INSTANCES: 'auto' } }),
    startServer({ ...shared, env: { INSTANCES: 'auto', DIRECT_DATABASE_URL: proxy.url } }),
  ]);
});

afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await proxy.stop();
  await database.drop();
});

/** Returns one client for each server. Both clients have the same address. */
function clients(key?: string) {
  const address = freshAddress();
  return [one, two].map((server) => createClient({ origin: server.origin, key, address }));
}

async function ask(server: TestServer, key: string): Promise<Reply> {
  return createClient({ origin: server.origin, key })(CATALOG);
}

/**
 * Sends requests until a response has `status`. Asserts that a request gets this status if it is sent one second or
 * more after the time `changed`.
 */
async function refusedWithinASecond(server: TestServer, key: string, status: number, changed: number): Promise<void> {
  await until(
    async () => {
      const startedAt = performance.now();
      const reply = await ask(server, key);
      if (startedAt - changed >= 1000) expect(reply.status).toBe(status);
      return reply.status;
    },
    (seen) => seen === status,
  );
}

async function bothServe(key: string): Promise<void> {
  const replies = await Promise.all([ask(one, key), ask(two, key)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
}

test('a key revoked through one process is refused by every process within a second', async () => {
  const { tenant, key, keyId } = await makeBusiness();
  await bothServe(key);
  await revokeKey(new Date(), { tenantId: tenant.id, keyId, actor: SYSTEM });
  const changed = performance.now();
  await Promise.all([one, two].map((server) => refusedWithinASecond(server, key, 401, changed)));
});

test('a rotation without overlap and a suspension also reach every process', async () => {
  const { tenant, key, keyId, applicationId } = await makeBusiness();
  await bothServe(key);
  const next = await rotateKey(new Date(), { tenantId: tenant.id, keyId, overlap: 'now', actor: SYSTEM });
  const rotated = performance.now();
  await Promise.all([one, two].map((server) => refusedWithinASecond(server, key, 401, rotated)));
  await bothServe(next.key);
  await setSuspended(new Date(), { tenantId: tenant.id, actor: SYSTEM, applicationId, suspended: true });
  const suspended = performance.now();
  await Promise.all([one, two].map((server) => refusedWithinASecond(server, next.key, 403, suspended)));
});

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

test('while the polling connection hangs half-open, nothing older than a second is served from memory', async () => {
  const business = await makeBusiness();
  const bystander = await makeBusiness();
  const client = createClient({ origin: two.origin, key: bystander.key });
  let written = 0;
  const rename = async (tx: Pick<Db, 'service'> = db()) => {
    written += 1;
    await tx.service.update({ where: { id: bystander.service.id }, data: { name: { en: `Name ${written}` } } });
  };
  const read = async () => (await client(CATALOG, { operation: listCatalog })).data.services[0]?.name;
  // `rename` marks no change. An old name in a response shows that the server read it from memory.
  await until(
    async () => {
      await rename();
      return (await read()) !== `Name ${written}`;
    },
    (fromMemory) => fromMemory,
  );
  await bothServe(business.key);

  proxy.hang();
  await revokeKey(new Date(), { tenantId: business.tenant.id, keyId: business.keyId, actor: SYSTEM });
  const changed = performance.now();
  await refusedWithinASecond(two, business.key, 401, changed);
  await until(
    async () => performance.now() - changed,
    (passed) => passed >= 1000,
  );
  // The server's polling connection hangs. Renames the service until the server has opened a new connection, which hangs
  // too, but at least five times.
  const before = written;
  while (proxy.hungConnections() === 0 || written < before + 5) {
    await db().$transaction(async (tx) => {
      await rename(tx);
      await markChanged(tx, 'catalog', bystander.tenant.id);
    });
    const renamed = performance.now();
    await until(
      async () => {
        const startedAt = performance.now();
        const name = await read();
        if (startedAt - renamed >= 1000) expect(name).toBe(`Name ${written}`);
        return name;
      },
      (name) => name === `Name ${written}`,
    );
    expect((await ask(two, business.key)).status).toBe(401);
    expect(performance.now() - changed).toBeLessThan(20_000);
  }
  expect((await ask(one, bystander.key)).status).toBe(200);
  expect((await fetch(`${two.origin}/api/health`)).status).toBe(503);
});
