import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS, type Operation } from '@/lib/contract/operations';
import { expectRefusal } from '@/tests/support/booking-rows';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { sendInvalid } from './invalid';

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url });
});

afterAll(async () => {
  await server?.stop();
  await database.drop();
});

test('while the database is unavailable, every operation returns 503 with a fixed message, and works again without a restart', async () => {
  const { key } = await makeBusiness();
  const ask = (operation: Operation) => sendInvalid(operation, { origin: server.origin, key });
  for (const operation of OPERATIONS) expect((await ask(operation)).status).toBe(400);
  await database.shut();
  for (const operation of OPERATIONS) {
    const reply = await until(
      () => ask(operation),
      ({ status }) => status === 503,
    );
    expectRefusal(reply, 503, 'service_unavailable');
    expect(reply.error.message).toBe('The service is temporarily unavailable. Retry with backoff.');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  }
  await database.open();
  for (const operation of OPERATIONS) {
    await until(
      () => ask(operation),
      ({ status }) => status === 400,
    );
  }
});
