import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelBooking, createBooking, listCatalog, readBooking } from '@/lib/contract/operations';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { actionPath, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { type Client, createClient } from '@/tests/support/client';
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

const env = { INSTANCES: '2' };

let database: OwnDatabase;
let upgraded: Upgraded;
let old: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  upgraded = await makeUpgraded();
  await upgraded.write(EXPANSION);
  old = await startServer({ databaseUrl: database.url, env });
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
function keepGoing({ service, location, key }: Business, hour: string, servers: TestServer[]) {
  const statuses: number[] = [];
  const clients = new Map<TestServer, Client>();
  let turn = 0;
  let stopped = false;
  const next = () => {
    const server = servers[turn++ % servers.length] ?? old;
    const client = clients.get(server) ?? createClient({ origin: server.origin, key });
    clients.set(server, client);
    return client;
  };
  const round = async () => {
    const body = { service_id: service.id, location_id: location.id, date: dayAhead(), start_time: hour };
    const more = { external_reference: 'order-4711', customer: CUSTOMER };
    const catalog = await next()(CATALOG, { operation: listCatalog });
    const created = await post(next(), BOOKINGS, createBooking, { ...body, ...more });
    statuses.push(catalog.status, created.status);
    if (created.status !== 201) return;
    const { reference } = created.data.booking;
    const read = await next()(`${BOOKINGS}/${reference}`, { operation: readBooking });
    const path = actionPath(reference, 'cancel');
    const cancelled = await post(next(), path, cancelBooking, { expected_version: 1 });
    statuses.push(read.status, cancelled.status);
  };
  const done = (async () => {
    while (!stopped) {
      await round();
      // The pause leaves processor time for the migration and the second server.
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

test('the old version serves all requests while a new version migrates and joins', {
  timeout: 120_000,
}, async () => {
  const business = await makeBusiness();
  const person = await makePerson(business.tenant.id);
  const cookie = await signInOverHttp(old.origin, person.email, person.password);
  const servers = [old];
  const partners = ['09:00', '11:00', '13:00'].map((hour) => keepGoing(business, hour, servers));
  const everybodyGoesOn = () =>
    Promise.all(
      partners.map(async ({ rounds }) => {
        const before = await rounds();
        await until(rounds, (now) => now >= before + 3);
      }),
    );
  await everybodyGoesOn();
  expect(await applyMigrations(database.ownerUrl, upgraded.root)).toEqual([UPGRADE]);
  await everybodyGoesOn();
  const successor = await startServer({ databaseUrl: database.url, env });
  // From here on, each partner's requests alternate between the two instances.
  servers.push(successor);
  await everybodyGoesOn();
  for (const { origin } of servers) {
    const input = { origin, cookie, type: 'query' } as const;
    expect(await callProcedure('bookings.list', { ...input, input: {} })).toMatchObject({ status: 200 });
  }
  servers.shift();
  await old.stop();
  await everybodyGoesOn();
  const statuses = (await Promise.all(partners.map(({ stop }) => stop()))).flat();
  expect([...new Set(statuses)].sort()).toEqual([200, 201]);
  await successor.stop();
});
