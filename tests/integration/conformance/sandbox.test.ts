import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedSandbox } from '@/lib/operations/sandbox/seed/sandbox';
import { db } from '@/lib/platform/db';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { conformance } from './run';

let database: OwnDatabase;
let server: TestServer;
let applications: { name: string; api_key: string }[];

beforeAll(async () => {
  database = await ownDatabase();
  const made = await seedSandbox(db(), new Date());
  if (!made) throw new Error('The database was not empty.');
  applications = made.applications;
  server = await startServer({ databaseUrl: database.url });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

test('a sandbox passes every check with the key of its full access partner, twice in a row', async () => {
  const key = applications.find(({ name }) => name === 'Full access partner')?.api_key ?? '';
  for (const more of [[], ['--failures']]) {
    const { code, result } = await conformance(['--base-url', server.origin, '--key', key, ...more]);
    expect(result?.checks.filter(({ passed }) => !passed)).toEqual([]);
    const limited = result?.checks.filter(({ title }) => title.includes('failed_authentication'));
    expect(limited?.length).toBe(more.length);
    expect(result?.passed).toBeGreaterThan(80);
    expect(code).toBe(0);
  }
  const { rows } = await database.query(`SELECT count(*)::int AS n FROM bookings WHERE status = 'confirmed'`);
  expect(rows).toEqual([{ n: 0 }]);
}, 300_000);
