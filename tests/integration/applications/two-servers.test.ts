import { afterAll, beforeAll, expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { revokeKey, rotateKey } from '@/lib/access/applications/keys';
import { listCatalog } from '@/lib/contract/operations';
import { markChanged } from '@/lib/platform/cache/changes';
import { type Db, db } from '@/lib/platform/db';
import { createClient, type Reply } from '@/tests/support/client';
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
    startServer({ ...shared, env: { INSTANCES: '2' } }),
    startServer({ ...shared, env: { INSTANCES: '2', DIRECT_DATABASE_URL: proxy.url } }),
  ]);
});

afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await proxy.stop();
  await database.drop();
});

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
