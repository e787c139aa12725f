import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startReceiver } from '@/tests/support/receiver';
import { startServer, type TestServer } from '@/tests/support/server';
import { startTcpProxy, type TcpProxy } from '@/tests/support/tcp-proxy';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

let database: OwnDatabase;
let proxy: TcpProxy;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  proxy = await startTcpProxy(database.url);
  server = await startServer({ databaseUrl: proxy.url, env: { DRAIN_DELAY: '2', WEBHOOKS_ALLOW_LOOPBACK: '1' } });
});

afterAll(async () => {
  await server.stop();
  await proxy.stop();
  await database.drop();
});

type Reply = { status: number; body: unknown; connection: string };

async function ask({ origin }: TestServer, path = '/api/health'): Promise<Reply> {
  const { statusCode, headers, body } = await request(`${origin}${path}`);
  expect(headers['cache-control']).toBe('no-store');
  return { status: statusCode, body: await body.json(), connection: String(headers.connection) };
}

const isHealthy = ({ status }: Reply) => status === 200;

const WARNINGS = ['could not open the connection that polls for changes', 'due deliveries could not be read'];
/** Finds the connection that polls for changes once it has polled. */
const POLLED = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '% listener'
  AND query LIKE '%pg_snapshot_xmin%'`;
/** The duration of an outage in milliseconds. A server that did not limit its warnings would write each several times. */
const OUTAGE = 1_500;

const written = () => WARNINGS.map((message) => server.errors().split(message).length - 1);

test('the health check follows the state of the database, while the liveness check always succeeds, and each outage is logged once', async () => {
  await until(() => ask(server), isHealthy);
  const receiver = await startReceiver();
  const webhook = await makeWebhook(receiver.url);
  await database.shut();
  const away = await until(
    () => ask(server),
    (reply) => !isHealthy(reply),
  );
  expect(away).toMatchObject({ status: 503, body: { status: 'unavailable' } });
  expect(await ask(server, '/api/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
  await delay(OUTAGE);
  await database.open();
  expect(await until(() => ask(server), isHealthy)).toMatchObject({
    body: {
      status: 'ok',
      version,
      commit: expect.toSatisfy((commit) => commit === null || /^[0-9a-f]{40}$/.test(commit)),
    },
  });
  await webhook.emit();
  await until(
    async () => receiver.received.length,
    (count) => count === 1,
  );
  await receiver.close();
  await until(
    () => database.query(POLLED),
    ({ rows }) => rows.length === 1,
  );
  expect(written()).toEqual([1, 1]);
  await database.shut();
  await delay(OUTAGE);
  await database.open();
  await until(() => ask(server), isHealthy);
  expect(written()).toEqual([2, 2]);
});

test('the health check detects an unresponsive database within seconds, even with many concurrent calls', async () => {
  await until(() => ask(server), isHealthy);
  proxy.hang();
  const startedAt = performance.now();
  const replies = await Promise.all(Array.from({ length: 50 }, () => ask(server)));
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
  expect((await ask(server, '/api/health/live')).status).toBe(200);
  proxy.resume();
});

test('after SIGTERM the health check fails at once, and requests are served for the duration of DRAIN_DELAY', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  await until(() => ask(server), isHealthy);
  const startedAt = performance.now();
  process.kill(server.pid, 'SIGTERM');
  const draining = await until(
    () => ask(server),
    (reply) => !isHealthy(reply),
  );
  expect(draining).toMatchObject({ status: 503, body: { status: 'draining' }, connection: 'close' });
  expect((await ask(server, '/api/health/live')).status).toBe(200);
  const reply = await client(CATALOG);
  expect([reply.status, reply.headers.connection]).toEqual([200, 'close']);
  expect(await server.ended).toBe(0);
  expect(performance.now() - startedAt).toBeGreaterThan(1_900);
  expect(performance.now() - startedAt).toBeLessThan(9_000);
});
