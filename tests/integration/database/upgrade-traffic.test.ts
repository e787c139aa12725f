import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelBooking, createBooking, listCatalog, readBooking } from '@/lib/contract/operations';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { actionPath, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';

/** SQL of an expanding migration (docs/upgrade.md). It changes tables that requests use. */
const EXPANSION = [
  'tenants',
  'services',
  'applications',
  'api_keys',
  'bookings',
  'events',
  'idempotency_keys',
  'request_log',
  'sessions',
]
  .flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN later_text text;`,
    `ALTER TABLE ${table} ADD COLUMN later_count integer NOT NULL DEFAULT 0;`,
    `CREATE INDEX ${table}_later ON ${table} (later_text);`,
  ])
  .concat('CREATE TABLE later (id text COLLATE "C" PRIMARY KEY);')
  .join('\n');

/** Number of milliseconds between two rounds of requests by the same partner. */
const PAUSE = 50;

let database: OwnDatabase;
let upgraded: Upgraded;
let old: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  upgraded = await makeUpgraded();
  await upgraded.write(EXPANSION);
  old = await startServer({ databaseUrl: database.url });
});

afterAll(async () => {
  await old.stop();
  await database.drop();
  await upgraded.remove();
});

type Business = Awaited<ReturnType<typeof makeBusiness>>;

/**
 * Reads the catalog, and creates, reads, and cancels a booking at `hour`. Repeats this until `stop` is called.
 * `stop` returns the HTTP statuses of all responses.
 */
function keepGoing({ service, location, key }: Business, hour: string) {
  const statuses: number[] = [];
  let stopped = false;
  const client = createClient({ origin: old.origin, key });
  const round = async () => {
    const body = { service_id: service.id, location_id: location.id, date: dayAhead(), start_time: hour };
    const more = { external_reference: 'order-4711', customer: CUSTOMER };
    const catalog = await client(CATALOG, { operation: listCatalog });
    const created = await post(client, BOOKINGS, createBooking, { ...body, ...more });
    statuses.push(catalog.status, created.status);
    if (created.status !== 201) return;
    const { reference } = created.data.booking;
    const read = await client(`${BOOKINGS}/${reference}`, { operation: readBooking });
    const path = actionPath(reference, 'cancel');
    const cancelled = await post(client, path, cancelBooking, { expected_version: 1 });
    statuses.push(read.status, cancelled.status);
  };
  const done = (async () => {
    while (!stopped) {
      await round();
      // The pause leaves processor time for the migration.
      await delay(PAUSE);
    }
    return statuses;
  })();
  return {
    rounds: async () => Math.floor(statuses.length / 4),
    stop: () => {
      stopped = true;
      return done;
    },
  };
}

// tests/integration/start/swap.test.ts, in the soak, also replaces the servers.
test('the old version serves all requests while and after a new version migrates', { timeout: 120_000 }, async () => {
  const business = await makeBusiness();
  const person = await makePerson(business.tenant.id);
  const cookie = await signInOverHttp(old.origin, person.email, person.password);
  const partners = ['09:00', '11:00'].map((hour) => keepGoing(business, hour));
  const everybodyGoesOn = () =>
    Promise.all(
      partners.map(async ({ rounds }) => {
        const before = await rounds();
        await until(rounds, (now) => now >= before + 2);
      }),
    );
  await everybodyGoesOn();
  expect(await applyMigrations(database.ownerUrl, upgraded.root)).toEqual([UPGRADE]);
  await everybodyGoesOn();
  const input = { origin: old.origin, cookie, type: 'query', input: {} } as const;
  expect(await callProcedure('bookings.list', input)).toMatchObject({ status: 200 });
  const statuses = (await Promise.all(partners.map(({ stop }) => stop()))).flat();
  expect([...new Set(statuses)].sort()).toEqual([200, 201]);
});
