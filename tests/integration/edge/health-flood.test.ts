import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '@/tests/support/database-proxy';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { open } from './raw';

/** Minimum milliseconds between two queries of the health check (see `CHECK_INTERVAL`). */
const INTERVAL = 20;
const CONNECTIONS = 20;
const CHECKS_OF_ONE = 25;
const REQUEST = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** The query of the health check, as a simple query message of PostgreSQL's protocol. */
const QUERY = Buffer.from('Q\0\0\0\x0dSELECT 1\0', 'latin1');

let database: OwnDatabase;
let proxy: DatabaseProxy;
let server: TestServer;
let queries = 0;

beforeAll(async () => {
  database = await ownDatabase();
  proxy = await startDatabaseProxy(database.url, (client, upstream) => ({
    request: (chunk) => {
      for (let at = chunk.indexOf(QUERY); at >= 0; at = chunk.indexOf(QUERY, at + 1)) queries++;
      upstream.write(chunk);
    },
    response: (chunk) => client.write(chunk),
  }));
  server = await startServer({ databaseUrl: proxy.url });
});

afterAll(async () => {
  await server?.stop();
  await proxy?.stop();
  await database?.drop();
});

test('a flood of health checks shares few queries, and each check still queries the database', async () => {
  const first = await open(server.port);
  const check = async ({ send, answer }: typeof first) => {
    send(REQUEST);
    return (await answer()).status;
  };
  await expect.poll(() => check(first), { timeout: 10_000 }).toBe(200);
  const before = queries;
  expect(await check(first)).toBe(200);
  expect(queries).toBe(before + 1);
  const begun = performance.now();
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(server.port)));
  const statuses = await Promise.all(
    clients.map(async (client) => {
      const own: number[] = [];
      for (let i = 0; i < CHECKS_OF_ONE; i++) own.push(await check(client));
      return own;
    }),
  );
  expect(statuses.flat()).toEqual(Array(CONNECTIONS * CHECKS_OF_ONE).fill(200));
  const flooded = queries - before - 1;
  expect(flooded).toBeGreaterThanOrEqual(CHECKS_OF_ONE);
  expect(flooded).toBeLessThanOrEqual((performance.now() - begun) / INTERVAL + 2);
  for (const { socket } of [first, ...clients]) socket.destroy();
});
