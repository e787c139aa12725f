import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { SPECIALISTS } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';

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

test('returns a fixed message and Retry-After for an unexpected error', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  await database.query('ALTER TABLE offerings RENAME TO offerings_away');
  const { status, error, headers, text } = await client(SPECIALISTS);
  expect([status, error.code, error.reason]).toEqual([503, 'service_unavailable', null]);
  expect(headers['retry-after']).toBe('2');
  expect(text).not.toMatch(/offerings|prisma|relation/i);
  await database.query('ALTER TABLE offerings_away RENAME TO offerings');
  expect((await client(SPECIALISTS)).status).toBe(200);
});
