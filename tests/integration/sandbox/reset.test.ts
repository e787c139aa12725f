import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFeed } from '@/lib/booking/calendar-feeds/feeds';
import { cancelBooking, createBooking, listAvailability, listCatalog } from '@/lib/contract/operations';
import { EXAMPLE_REFERENCES } from '@/lib/operations/sandbox/example-bookings';
import { setResetPolicy } from '@/lib/operations/sandbox/facts';
import { resetIfDue, resetSandbox } from '@/lib/operations/sandbox/reset';
import { seedSandbox } from '@/lib/operations/sandbox/seed/sandbox';
import { db, pool } from '@/lib/platform/db';
import { exclusiveTenantLock, sharedTenantLock, specialistLocks } from '@/lib/platform/locks';
import { resetSingleton } from '@/lib/platform/singleton';
import { AVAILABILITY, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { type Client, createClient } from '@/tests/support/client';
import { callProcedure, signInOverHttp } from '@/tests/support/control-center';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG, withQuery } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

let database: OwnDatabase;
let server: TestServer;
let client: Client;
let cookie: string | null;
let sandbox: NonNullable<Awaited<ReturnType<typeof seedSandbox>>>;
let tenantId: string;

beforeAll(async () => {
  database = await ownDatabase();
  const made = await seedSandbox(db(), new Date());
  if (!made) throw new Error('The database was not empty.');
  sandbox = made;
  server = await startServer({ databaseUrl: database.url, env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
  client = createClient({ origin: server.origin, key: sandbox.applications[0]?.api_key ?? '' });
  cookie = await signInOverHttp(server.origin, sandbox.owner.email, sandbox.owner.password);
  tenantId = (await db().tenant.findFirstOrThrow()).id;
  const { id: specialist } = await db().specialist.findFirstOrThrow();
  await createFeed(new Date(), { tenantId, actor: owner }, { kind: 'specialist', id: specialist });
  await createFeed(new Date(), { tenantId, actor: owner }, { kind: 'business' });
  // The server has made the bookings of the examples.
  await until(
    () => db().booking.count(),
    (count) => count === EXAMPLE_REFERENCES.length,
  );
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

const owner = { kind: 'system' } as const;
const resetNow = (input: object) =>
  callProcedure('environment.reset_now', { origin: server.origin, cookie, type: 'mutation', input });

/** Yields request bodies for bookings of available slots. */
async function* bookable() {
  const { data } = await client(CATALOG, { operation: listCatalog });
  for (const { id } of data.services) {
    for (const { id: location } of data.locations) {
      const query = { service_id: id, location_id: location, date: dayAhead(3), date_to: dayAhead(10) };
      const found = await client(withQuery(AVAILABILITY, query), { operation: listAvailability });
      const slot = found.status === 200 ? found.data.slots[0] : undefined;
      if (!slot) continue;
      const { service_id, location_id, date, start_time } = slot;
      yield { service_id, location_id, date, start_time, external_reference: 'order-1', customer: CUSTOMER };
    }
  }
}

/** Books an available slot of any service as a partner. */
async function bookSomething(): Promise<string> {
  for await (const body of bookable()) {
    const made = await post(client, BOOKINGS, createBooking, body);
    if (made.status === 201) return made.data.booking.reference;
  }
  throw new Error('Nothing can be booked.');
}

const COUNTS = `SELECT (SELECT count(*) FROM bookings)::int AS bookings, (SELECT count(*) FROM slot_claims)::int AS claims,
  (SELECT count(*) FROM idempotency_keys)::int AS keys, (SELECT count(*) FROM events)::int AS events,
  (SELECT count(*) FROM deliveries)::int AS deliveries`;
const KEPT = [
  'applications',
  'application_locations',
  'api_keys',
  'users',
  'memberships',
  'webhook_endpoints',
  'calendar_feeds',
];

async function kept(): Promise<unknown> {
  const tables = [];
  for (const table of [...KEPT, 'locations', 'services', 'specialists', 'offerings']) {
    const { rows } = await database.query(
      `SELECT to_jsonb(t) - 'last_used_at' - 'last_attempt_at' - 'failing' - 'failed_days' - 'failed_firsts' - 'last_failed_on'
         AS row
       FROM ${table} t ORDER BY 1`,
    );
    tables.push([table, rows]);
  }
  return tables;
}

test('a reset restores the catalog and deletes bookings; applications, keys, endpoints, users, and the log are kept', async () => {
  await addEndpoint(tenantId, sandbox.applications[0]?.id ?? '', 'http://127.0.0.1:3999/hooks');
  const before = await kept();
  await bookSomething();
  const [changed = ''] = EXAMPLE_REFERENCES;
  expect(
    (await post(client, `${BOOKINGS}/${changed}/actions/cancel`, cancelBooking, { expected_version: 1 })).status,
  ).toBe(200);
  // A clock that is ahead goes back (contract B20).
  await db().application.updateMany({ data: { clockOffsetSeconds: 86_400 } });
  await db().service.updateMany({ data: { published: false } });
  const location = await db().location.findFirstOrThrow();
  await db().offering.deleteMany({ where: { locationId: location.id } });
  const lines = await db().requestLog.count();
  expect((await database.query(COUNTS)).rows).toEqual([{ bookings: 5, claims: 4, keys: 2, events: 6, deliveries: 2 }]);
  const refused = await resetNow({ tenant_name: 'Somebody else' });
  expect(refused).toMatchObject({ status: 400, error: { fields: [{ path: 'tenant_name' }] } });
  const { name } = await db().tenant.findFirstOrThrow();
  expect(await resetNow({ tenant_name: name })).toMatchObject({ status: 200 });
  // Of the bookings, only those of the examples are there again, as new ones.
  expect((await database.query(COUNTS)).rows).toEqual([{ bookings: 4, claims: 4, keys: 0, events: 4, deliveries: 4 }]);
  const examples = { tenantId, status: 'confirmed' as const, version: 1, reference: { in: [...EXAMPLE_REFERENCES] } };
  expect(await db().booking.count({ where: examples })).toBe(4);
  expect(await kept()).toEqual(before);
  expect(await db().requestLog.count()).toBeGreaterThanOrEqual(lines);
  expect(await db().auditLog.count({ where: { action: 'sandbox.reset' } })).toBe(1);
  // The reset takes effect immediately, and the key is still valid.
  expect(await bookSomething()).toMatch(/^pbr_/);
});

test('requests during a reset get a response, and their writes are complete or absent', {
  timeout: 60_000,
}, async () => {
  const statuses = new Set<number>();
  let going = true;
  // Paced, because the quota of a minute must last for the whole file.
  const reader = async () => {
    for (; going; await delay(100)) statuses.add((await client(CATALOG)).status);
  };
  const writer = async () => {
    for (; going; await delay(100))
      await bookSomething().catch((error: Error) => expect(error.message).toContain('Nothing can be booked'));
  };
  const load = Array.from({ length: repeats(1, 2) }, () => [reader(), writer()]).flat();
  for (let i = 0; i < repeats(2, 5); i += 1) await resetSandbox(new Date(), { tenantId, actor: owner });
  going = false;
  await Promise.all(load);
  for (const status of statuses) expect([200, 503]).toContain(status);
  const { rows } = await database.query(
    `SELECT count(*)::int AS strays FROM slot_claims c WHERE NOT EXISTS (SELECT FROM bookings b WHERE b.claim_id = c.id)`,
  );
  expect(rows).toEqual([{ strays: 0 }]);
});

test('the lock of a specialist does not wait for a write of the same tenant', async () => {
  const { rows } = await database.query('SELECT id FROM specialists');
  const other = await pool().connect();
  await other.query(`BEGIN; ${sharedTenantLock(tenantId)}`);
  const moving = await pool().connect();
  await moving.query(`BEGIN; SET LOCAL lock_timeout = '500ms'; ${sharedTenantLock(tenantId)}`);
  await moving.query(specialistLocks(rows.map(({ id }) => id)));
  for (const client of [moving, other]) {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('a write that waited for a reset with the old catalog is refused', async () => {
  const { value: body } = await bookable().next();
  const holder = await pool().connect();
  await holder.query('BEGIN');
  await holder.query(exclusiveTenantLock(tenantId));
  const writing = post(client, BOOKINGS, createBooking, body);
  await until(
    async () => (await database.query("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'")).rows.length,
    (waiting) => waiting > 0,
  );
  // The update below simulates a reset of which the server has not been notified yet.
  await holder.query('UPDATE tenants SET last_reset_at = now() WHERE id = $1', [tenantId]);
  await holder.query('COMMIT');
  holder.release();
  expect((await writing).status).toBe(503);
  await resetSandbox(new Date(), { tenantId, actor: owner });
});

test('the nightly reset runs once per night in the tenant’s time zone, with concurrent processes', async () => {
  const at = (text: string) => new Date(text);
  await db().tenant.updateMany({ data: { lastResetAt: at('2026-11-20T12:00:00Z'), resetPolicy: 'ON_DEMAND' } });
  expect(await resetIfDue(at('2026-11-21T02:30:00Z'))).toBe(false);
  await setResetPolicy(at('2026-11-20T12:00:00Z'), { tenantId, actor: owner }, 'DAILY');
  expect(await resetIfDue(at('2026-11-21T01:59:00Z'))).toBe(false);
  // This is 03:00 in Berlin.
  const night = at('2026-11-21T02:00:00Z');
  await Promise.all([resetIfDue(night), resetIfDue(night), resetIfDue(night)]);
  expect(await db().auditLog.count({ where: { action: 'sandbox.reset', at: night } })).toBe(1);
  expect(await resetIfDue(at('2026-11-21T20:00:00Z'))).toBe(false);
});

test('LIVE cannot be reset', async () => {
  process.env.ENVIRONMENT = 'LIVE';
  resetSingleton('env');
  onTestFinished(() => {
    process.env.ENVIRONMENT = 'TEST';
    resetSingleton('env');
  });
  const by = { tenantId, actor: owner };
  await expect(resetSandbox(new Date(), by)).rejects.toMatchObject({ code: 'not_found' });
  await expect(setResetPolicy(new Date(), by, 'DAILY')).rejects.toMatchObject({ code: 'not_found' });
  expect(await resetIfDue(new Date('2030-01-01T12:00:00Z'))).toBe(false);
  expect(await db().service.count()).toBeGreaterThan(0);
});
