import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

/**
 * The duration of an outage in milliseconds. A server that did not limit its warnings would write each of `WARNINGS`
 * about ten times in this duration.
 */
const OUTAGE = 5_000;
const WARNINGS = ['could not open the connection that polls for changes', 'due deliveries could not be read'];

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url, env: { LOG_LEVEL: 'warn' } });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

const written = () => WARNINGS.map((message) => server.errors().split(message).length - 1);

const health = async () => (await fetch(`${server.origin}/api/health`)).status;

async function outage(): Promise<void> {
  await database.shut();
  await delay(OUTAGE);
  await database.open();
  await until(health, (status) => status === 200);
  // The worker polls every 400 ms. Within two seconds, it therefore reads the due deliveries again successfully.
  await delay(2_000);
}

test('an outage of the database writes each warning once, and the next outage writes it again', async () => {
  await outage();
  expect(written()).toEqual([1, 1]);
  await outage();
  expect(written()).toEqual([2, 2]);
});
