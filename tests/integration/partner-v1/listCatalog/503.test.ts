import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

const MESSAGE = 'The service is temporarily unavailable. Retry with backoff.';

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

async function makeAuthorizedClient(): Promise<Client> {
  return createClient({ origin: server.origin, key: (await makeBusiness()).key });
}

async function expectUnavailable(client: Client) {
  const reply = await client(CATALOG);
  expect(reply.status).toBe(503);
  expect(reply.error).toMatchObject({ code: 'service_unavailable', message: MESSAGE, reason: null, fields: [] });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  return reply;
}

/** Waits until the server has logged the request and returns the log line. */
async function logged(requestId: string): Promise<string> {
  const find = async () =>
    server
      .errors()
      .split('\n')
      .find((line) => line.includes(requestId) && line.includes('unexpected'));
  return (await until(find, (line) => line !== undefined)) ?? '';
}

test('returns a fixed message for an unexpected error and logs the error in full', async () => {
  const client = await makeAuthorizedClient();
  await database.query('ALTER TABLE specialists RENAME TO specialists_away');
  const reply = await expectUnavailable(client);
  expect(reply.text).not.toMatch(/specialists|prisma|relation|select|stack|\/lib\//i);
  const line = JSON.parse(await logged(reply.requestId));
  expect(line.err.message).toMatch(/specialists/);
  expect(line.err.stack.split('\n').length).toBeGreaterThan(3);
  await database.query('ALTER TABLE specialists_away RENAME TO specialists');
  expect((await client(CATALOG)).status).toBe(200);
});

test('returns a fixed message for a malformed text in the database and does not send the text', async () => {
  const client = await makeAuthorizedClient();
  await database.query('ALTER TABLE services DROP CONSTRAINT services_name_translated');
  await database.query(`UPDATE services SET name = '"a text with secrets"'`);
  const reply = await expectUnavailable(client);
  expect(reply.text).not.toContain('secrets');
  await logged(reply.requestId);
  await database.query(`UPDATE services SET name = '{"en": "Haircut"}'`);
  expect((await client(CATALOG)).status).toBe(200);
});

test('returns 503 while the database is unavailable and recovers without a restart', async () => {
  const client = await makeAuthorizedClient();
  expect((await client(CATALOG)).status).toBe(200);
  await database.shut();
  await until(
    () => client(CATALOG),
    ({ status }) => status === 503,
  );
  for (let i = 0; i < 5; i += 1) await expectUnavailable(client);
  const anonymous = createClient({ origin: server.origin });
  expect((await anonymous(CATALOG)).status).toBe(401);
  expect((await fetch(`${server.origin}/api/health`)).status).toBe(503);
  await database.open();
  await until(
    () => client(CATALOG),
    ({ status }) => status === 200,
  );
  await until(
    () => fetch(`${server.origin}/api/health`).then(({ status }) => status),
    (status) => status === 200,
  );
});
