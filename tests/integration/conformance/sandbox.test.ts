import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotFoundError, partnerClient } from '@/lib/contract/client';
import { BASE_PATH } from '@/lib/contract/operations';
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

test('a sandbox passes every check with the key of its full-access partner, twice in a row', async () => {
  const key = applications.find(({ name }) => name === 'Full-access partner')?.api_key ?? '';
  for (const more of [[], ['--failures']]) {
    const { code, result } = await conformance(['--base-url', server.origin, '--key', key, ...more]);
    expect(result?.checks.filter(({ passed }) => !passed)).toEqual([]);
    const limited = result?.checks.filter(({ title }) => title.includes('failed_authentication'));
    expect(limited?.length).toBe(more.length);
    expect(result?.passed).toBeGreaterThan(80);
    expect(code).toBe(0);
  }
  const { rows } = await database.query(
    `SELECT count(*)::int AS n FROM bookings WHERE status = 'confirmed' AND external_reference NOT LIKE 'example-%'`,
  );
  expect(rows).toEqual([{ n: 0 }]);
}, 300_000);

test('the second partner has all scopes too, and no access to the bookings of the first', async () => {
  const clients = ['Full-access partner', 'Second partner'].map((name) => {
    const apiKey = applications.find((one) => one.name === name)?.api_key ?? '';
    return partnerClient({ baseUrl: server.origin + BASE_PATH, apiKey });
  });
  const [first, second] = clients;
  const { services } = (await first?.listCatalog()) ?? {};
  const service = services?.find(({ min_lead_minutes: lead, max_advance_days: days }) => lead < 1440 && days > 12);
  const [location_id = ''] = service?.location_ids ?? [];
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const query = { service_id: service?.id ?? '', location_id };
  const { slots = [] } = (await second?.listAvailability({ ...query, date: day(2), date_to: day(12) })) ?? {};
  const { date = '', start_time = '' } = slots[0] ?? {};
  const customer = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true as const };
  const body = { ...query, date, start_time, external_reference: 'order-4711', customer };
  const created = await first?.createBooking(body, randomUUID());
  const reference = created?.booking.reference ?? '';
  expect((await first?.readBooking(reference))?.booking).toEqual(created?.booking);
  await expect(second?.readBooking(reference)).rejects.toBeInstanceOf(NotFoundError);
  expect((await second?.listBookings({ external_reference: 'order-4711' }))?.bookings).toEqual([]);
});
