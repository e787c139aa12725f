import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

const FIXED = 'The service is temporarily unavailable. Retry with backoff.';

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function client(): Promise<Client> {
  return createClient({ origin: server.origin, key: (await makeBusiness()).key });
}

async function unavailable(ask: Client) {
  const reply = await ask(CATALOG);
  expect(reply.status).toBe(503);
  expect(reply.error).toMatchObject({ code: 'service_unavailable', message: FIXED, reason: null, fields: [] });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  return reply;
}

/** Waits until the log names the request, and returns its line. */
async function logged(requestId: string): Promise<string> {
  const find = async () =>
    server
      .errors()
      .split('\n')
      .find((line) => line.includes(requestId) && line.includes('unexpected'));
  return (await until(find, (line) => line !== undefined)) ?? '';
}

test('a failure nobody expected is answered with fixed words, and logged in full', async () => {
  const ask = await client();
  await database.query('ALTER TABLE specialists RENAME TO specialists_away');
  const reply = await unavailable(ask);
  expect(reply.text).not.toMatch(/specialists|prisma|relation|select|stack|\/lib\//i);
  const line = JSON.parse(await logged(reply.requestId));
  expect(line.err.message).toMatch(/specialists/);
  expect(line.err.stack.split('\n').length).toBeGreaterThan(3);
  await database.query('ALTER TABLE specialists_away RENAME TO specialists');
  expect((await ask(CATALOG)).status).toBe(200);
});

test('a text in the database that is none is answered with fixed words, not sent', async () => {
  const ask = await client();
  await database.query('ALTER TABLE services DROP CONSTRAINT services_name_translated');
  await database.query(`UPDATE services SET name = '"a text with secrets"'`);
  const reply = await unavailable(ask);
  expect(reply.text).not.toContain('secrets');
  await logged(reply.requestId);
  await database.query(`UPDATE services SET name = '{"en": "Haircut"}'`);
  expect((await ask(CATALOG)).status).toBe(200);
});

test('while the database is away every answer says so with all its headers, and service returns by itself', async () => {
  const ask = await client();
  expect((await ask(CATALOG)).status).toBe(200);
  await database.shut();
  await until(
    () => ask(CATALOG),
    ({ status }) => status === 503,
  );
  for (let i = 0; i < 5; i += 1) await unavailable(ask);
  const nobody = createClient({ origin: server.origin });
  expect((await nobody(CATALOG)).status).toBe(401);
  expect((await fetch(`${server.origin}/api/health`)).status).toBe(503);
  await database.open();
  await until(
    () => ask(CATALOG),
    ({ status }) => status === 200,
  );
  await until(
    () => fetch(`${server.origin}/api/health`).then(({ status }) => status),
    (status) => status === 200,
  );
});
