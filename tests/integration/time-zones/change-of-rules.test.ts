import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeByOwner, OWNER_ACTIONS } from '@/lib/booking/bookings/owner-change';
import { rescheduleByOwner } from '@/lib/booking/bookings/owner-reschedule';
import { createBooking, listAvailability } from '@/lib/contract/operations';
import { checkZones, describeMoves } from '@/lib/operations/doctor/zones';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { bringRulesIntoForce } from '@/lib/operations/environment/zone-rules';
import { registerGauges } from '@/lib/operations/metrics/gauges';
import { environmentFacts } from '@/lib/operations/sandbox/facts';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { sharedTenantLock } from '@/lib/platform/locks';
import { readRulesInForce } from '@/lib/platform/rules-in-force';
import { localToInstant, ZONE_RULES, zoneOf } from '@/lib/platform/time-zones';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';
import { AVAILABILITY, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { type Client, createClient } from '@/tests/support/client';
import { makeApplication, makeLocation, makeService, makeSpecialist, makeTenant } from '@/tests/support/factories';
import { holdLock } from '@/tests/support/held-lock';
import { inLanes } from '@/tests/support/in-lanes';
import { expectIntact } from '@/tests/support/invariants';
import { type OtherRules, writeRules, zoneNames } from '@/tests/support/other-rules';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { withQuery } from '@/tests/support/paths';
import { prepared } from '@/tests/support/prepared';
import { bundleProgram } from '@/tests/support/program';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { repeats, SOAK } from '@/tests/support/soak';
import { recordStatements } from '@/tests/support/statements';
import { until } from '@/tests/support/until';

// A database with future bookings in many time zones goes through a change of the rules. A server with the old rules and
// one with the new rules sell at the same time, and the process that derives the bookings again is killed.

const ZONES = repeats(4, 60);
const BOOKINGS_PER_ZONE = repeats(3, 17);
const KILLS = repeats(1, 5);
/** Number of processes that finish the work at the same time. */
const FINISHING = repeats(1, 2);
/** The number of times per zone that the old server sells, and that the new one does. */
const SOLD = { old: BOOKINGS_PER_ZONE + repeats(2, 8), new: BOOKINGS_PER_ZONE + repeats(3, 13) };
/** Milliseconds between the sales in all zones, while the new rules come into force. */
const SALES_PAUSE = SOAK ? 100 : 400;
/** The rules change on this date. All bookings are later. */
const CHANGE = dayAhead(20);
const NEW_RULES = '2099a';
/** By this many minutes, the new rules add to the offset of each second zone. The others stay. */
const SHIFT = 60;

type Place = {
  tenantId: string;
  key: string;
  zone: string;
  minutes: number;
  serviceId: string;
  locationId: string;
  specialistId: string;
};

let database: OwnDatabase;
let rules: OtherRules;
let places: Place[] = [];
let program = '';
let old: TestServer | null = null;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await ownDatabase();
  program = await bundleProgram("import './tests/support/bring-rules'");
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: TEST_SECRET });
  await bringRulesIntoForce(new Date(), new AbortController().signal);
  const zones = zoneNames(ZONES).map((name, index) => ({ name, minutes: index % 2 === 0 ? SHIFT : 0 }));
  rules = await writeRules(NEW_RULES, CHANGE, zones);
  places = await Promise.all(zones.map(({ name, minutes }) => makePlace(name, minutes)));
}, 60_000);

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await old?.stop();
  await rules?.remove();
  await database?.drop();
});

async function makePlace(zone: string, minutes: number): Promise<Place> {
  const tenant = await makeTenant({ timeZone: zone });
  const [location, service, specialist] = await Promise.all([
    makeLocation(tenant.id, { timeZone: zone }),
    makeService(tenant.id, { slotIntervalMinutes: 30 }),
    makeSpecialist(tenant.id),
  ]);
  const ids = { tenantId: tenant.id, locationId: location.id, specialistId: specialist.id };
  await db().offering.create({ data: { ...ids, serviceId: service.id } });
  const always = { opens: '00:00', closes: '00:00' };
  await db().locationHours.deleteMany({ where: { locationId: location.id } });
  const days = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, ...always }));
  await db().locationHours.createMany({ data: days.map((day) => ({ ...day, locationId: location.id })) });
  await db().specialistHours.createMany({ data: days.map((day) => ({ ...day, ...ids })) });
  const { key } = await makeApplication(tenant.id);
  return { ...ids, key, zone, minutes, serviceId: service.id };
}

const clients = new Map<string, Client>();

/** Sends a create to a server. Returns the response. */
async function create({ origin }: TestServer, place: Place, date: string, start_time: string, key = randomUUID()) {
  const name = `${origin} ${place.key}`;
  const client = clients.get(name) ?? createClient({ origin, key: place.key });
  clients.set(name, client);
  const { serviceId: service_id, locationId: location_id } = place;
  const slot = { service_id, location_id, date, start_time };
  const body = { ...slot, external_reference: 'order-4711', customer: CUSTOMER };
  return await post(client, BOOKINGS, createBooking, body, { key });
}

/** Sends a create to a server. Returns the status. */
const book = async (...args: Parameters<typeof create>) => (await create(...args)).status;

const timeOf = (index: number) =>
  `${String(8 + Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`;

/** Starts a process that brings the new rules into force. */
function bringRules(): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      ENVIRONMENT: 'TEST',
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET,
      TEST_ZONE_RULES: rules.file,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

const moved = async () => {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM events WHERE type = 'booking.updated'`,
  );
  return rows[0]?.count ?? 0;
};

/**
 * Tries to sell times `from` to `to` in all zones on a server, and counts the sold local times. Returns the statuses of
 * the responses.
 */
async function sell(server: TestServer, from: number, to: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let index = from; index < to; index += 1) {
    for (const place of places) {
      const time = timeOf(index);
      const status = await book(server, place, dayAhead(25), time);
      statuses.add(status);
      const key = `${place.zone} ${time}`;
      if (status === 201) sold.set(key, (sold.get(key) ?? 0) + 1);
    }
  }
  return statuses;
}

/** The number of times that each local time of a zone was sold. */
const sold = new Map<string, number>();

/** Sells on a server again and again, until it refuses because of the rules. */
async function sellUntilRefused(server: TestServer): Promise<void> {
  for (;;) {
    if ((await sell(server, BOOKINGS_PER_ZONE, SOLD.old)).has(503)) return;
    await delay(SALES_PAUSE);
  }
}

test('every booking keeps its local time through a change of rules, and no local time is sold twice', async () => {
  old = await startServer({ databaseUrl: database.url });
  const server = old;
  await inLanes(4, places, async (place) => {
    for (let index = 0; index < BOOKINGS_PER_ZONE; index += 1) {
      const key = randomUUID();
      const made = await prepared(() => create(server, place, dayAhead(25), timeOf(index), key));
      expect(made.status).toBe(201);
    }
  });

  const first = places[0] as Place;
  const query = { service_id: first.serviceId, location_id: first.locationId, date: dayAhead(26), limit: 1 };
  const page = await createClient({ origin: server.origin, key: first.key })(withQuery(AVAILABILITY, query), {
    operation: listAvailability,
  });

  // Both servers sell, while the new rules come into force.
  const selling = sellUntilRefused(old);
  const toMove = places.filter(({ minutes }) => minutes !== 0).map(({ tenantId }) => tenantId);
  toMove.sort();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // The process is killed while it moves the bookings of one of the tenants, and the tenants before it are done.
    const at = toMove[Math.floor((toMove.length * kill) / (KILLS + 1))];
    const held = await holdLock(database.url, `SELECT FROM bookings WHERE tenant_id = '${at}' FOR UPDATE`);
    const child = bringRules();
    await held.untilWaiting();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await held.release();
  }
  const halfway = await moved();
  // The server notices the new rules within half a second.
  const healthOf = async ({ origin }: TestServer) => {
    const response = await fetch(`${origin}/api/health`);
    return [response.status, await response.json()];
  };
  expect(
    await until(
      () => healthOf(server),
      ([status]) => status !== 200,
    ),
  ).toEqual([
    503,
    expect.objectContaining({
      status: 'unavailable',
      reason: `This server has the time zone rules ${ZONE_RULES}, but the database uses ${NEW_RULES}. Install a release with the rules ${NEW_RULES} or newer.`,
    }),
  ]);
  expect(old.errors()).toContain('Install a release with the rules');
  const place = places[0] as Place;
  const slots = { service_id: place.serviceId, location_id: place.locationId, date: dayAhead(25) };
  const refused = await createClient({ origin: old.origin, key: place.key })(withQuery(AVAILABILITY, slots));
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);

  // A server with the new rules does not sell either, until all bookings are derived.
  const fresh = await startServer({ databaseUrl: database.url, env: { TEST_ZONE_RULES: rules.file } });
  try {
    expect(await book(fresh, place, dayAhead(25), '20:00')).toBe(503);
    const last = Array.from({ length: FINISHING }, bringRules);
    for (const [code] of await Promise.all(last.map((child) => once(child, 'exit')))) expect(code).toBe(0);
    await until(
      async () => (await fetch(`${fresh.origin}/api/health`)).status,
      (status) => status === 200,
    );
    // Only the new server sells.
    await selling;
    const [refusals, sales] = await Promise.all([
      sell(old, BOOKINGS_PER_ZONE, SOLD.new),
      sell(fresh, BOOKINGS_PER_ZONE, SOLD.new),
    ]);
    expect([...refusals]).toEqual([503]);
    expect([...sales].sort()).toEqual([201, 409]);
    // The position of a page is an instant, which is another local time now.
    const next = withQuery(AVAILABILITY, { ...query, cursor: page.data.next_cursor ?? '' });
    const { status, error } = await createClient({ origin: fresh.origin, key: first.key })(next);
    expect([status, error?.reason]).toEqual([400, 'cursor_mismatch']);
  } finally {
    await fresh.stop();
  }

  const bookings = await bookingsOf();
  const changed = bookings.filter(({ sold_at, starts_at }) => sold_at.getTime() !== starts_at.getTime());
  expect(halfway).toBeGreaterThan(0);
  expect(halfway).toBeLessThan(changed.length);
  for (const { reference, time_zone, date, start_time, starts_at, version, updates, sold_at } of bookings) {
    const local = localToInstant(zoneOf(time_zone), date, start_time) ?? 0;
    expect(starts_at.getTime() / 60_000, reference).toBe(local - shiftOf(time_zone));
    const isMoved = sold_at.getTime() !== starts_at.getTime();
    expect([version, updates], reference).toEqual(isMoved ? [2, 1] : [1, 0]);
  }
  expect([...sold.values()].filter((times) => times > 1)).toEqual([]);
  const { rows: twice } = await pool().query(
    `SELECT specialist_id, date, start_time FROM bookings WHERE status = 'confirmed'
     GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  );
  expect(twice).toEqual([]);
  const { rows: outside } = await pool().query('SELECT id FROM slot_claims WHERE overlapping IS NOT NULL');
  expect(outside).toEqual([]);
  for (const { tenantId, zone } of places) await expectIntact(tenantId, zone);
}, 600_000);

const shiftOf = (zone: string) => places.find((place) => place.zone === zone)?.minutes ?? 0;

/** Returns all bookings, with the instants at which they were sold, and the number of their events of a change of rules. */
async function bookingsOf() {
  const { rows } = await pool().query<{
    reference: string;
    version: number;
    time_zone: string;
    date: string;
    start_time: string;
    starts_at: Date;
    sold_at: Date;
    updates: number;
  }>(
    `SELECT b.reference, b.version, b.time_zone, to_char(b.date, 'YYYY-MM-DD') AS date,
       to_char(b.start_time, 'HH24:MI') AS start_time, b.starts_at,
       (e.payload::jsonb #>> '{data,booking,starts_at}')::timestamptz AS sold_at,
       (SELECT count(*)::int FROM events u WHERE u.booking_reference = b.reference AND u.type = 'booking.updated') AS updates
     FROM bookings b JOIN events e ON e.booking_reference = b.reference AND e.version = 1`,
  );
  return rows;
}

test('a server with other rules refuses what owners do with bookings', async () => {
  await readRulesInForce(pool());
  const [booking] = await bookingsOf();
  const { reference = '', version: expectedVersion = 0, date = '' } = booking ?? {};
  const { tenantId = '' } = places.find(({ zone }) => zone === booking?.time_zone) ?? {};
  const change = { tenantId, actor: { kind: 'system' } as const, reference, expectedVersion };
  const refusal = { code: 'service_unavailable', retryAfter: 5 };
  for (const action of OWNER_ACTIONS)
    await expect(changeByOwner(new Date(), { ...change, action, cancelReason: null })).rejects.toMatchObject(refusal);
  const slot = { date, startTime: '22:00', specialistId: null };
  await expect(rescheduleByOwner(new Date(), { ...change, ...slot })).rejects.toMatchObject(refusal);
  expect((await bookingsOf()).find((one) => one.reference === reference)).toEqual(booking);
});

test('doctor states which rules are in force, and which bookings newer ones move', async () => {
  const booking = (await bookingsOf()).find(({ time_zone }) => shiftOf(time_zone) === 0);
  const urls = { url: database.url, directUrl: database.url, migrationUrl: null };
  // This process has the older rules.
  expect(await checkZones(urls)).toMatchObject([{ severity: 'wrong', text: expect.stringContaining(NEW_RULES) }]);
  expect(await describeMoves(database.url, new Date())).toEqual([
    `Time zone rules of this version: ${ZONE_RULES}. In force in the database: ${NEW_RULES}.`,
    'This version moves nothing: a server with older rules is not ready.',
  ]);
  await database.query(`UPDATE environment SET zone_rules = '2000a'`);
  expect(await checkZones(urls)).toMatchObject([{ severity: 'warning', text: expect.stringContaining('2000a') }]);
  await database.query(
    `UPDATE bookings SET zone_rules = NULL, start_time = start_time - interval '30 minutes' WHERE reference = $1`,
    [booking?.reference],
  );
  const lines = await describeMoves(database.url, new Date());
  expect(lines[0]).toBe(`Time zone rules of this version: ${ZONE_RULES}. In force in the database: 2000a.`);
  expect(lines).toContain(`  ${booking?.time_zone}: 1`);
  await database.query(`UPDATE environment SET zone_rules = $1`, [ZONE_RULES]);
  await readRulesInForce(pool());
  expect(await checkZones(urls)).toMatchObject([{ severity: 'ok', text: expect.stringContaining(ZONE_RULES) }]);
});

test('the database refuses a booking whose instants were derived with other rules than those in force', async () => {
  const write = (zoneRules: string) =>
    writeTransaction(beginBudget(), places[0]?.tenantId ?? '', (tx) =>
      tx.run(`UPDATE bookings SET zone_rules = '${zoneRules}' WHERE tenant_id = '${places[0]?.tenantId}'`),
    );
  for (const other of ['2000a', NEW_RULES])
    await expect(write(other)).rejects.toMatchObject({ code: 'service_unavailable', retryAfter: 5 });
  await write(ZONE_RULES);
});

const derive = () => bringRulesIntoForce(new Date(), new AbortController().signal);

test('a run that continues an interrupted one does not name its own rules as those before', async () => {
  const interrupted = (before: string) =>
    database.query(
      `UPDATE environment SET zone_rules = '${before}', zone_rules_derived_at = CASE WHEN '${before}' <> '${ZONE_RULES}' THEN now() END`,
    );
  await interrupted(ZONE_RULES);
  expect(await derive()).toMatchObject({ before: null });
  await interrupted('2000a');
  expect(await derive()).toMatchObject({ before: '2000a' });
});

/** Makes the bookings of all tenants look as if other rules had been in force until now. */
async function forgetRules(): Promise<void> {
  await database.query(`UPDATE environment SET zone_rules = '2000a', zone_rules_derived_at = now()`);
  await database.query('UPDATE tenants SET zone_rules = NULL');
}

test('businesses whose bookings do not move cost a few statements for all of them together', async () => {
  await derive();
  const ids = Array.from({ length: 250 }, () => newId('ten'));
  await database.query(
    `INSERT INTO tenants (id, name, time_zone, default_locale, locales)
     SELECT id, id, 'UTC', 'en', ARRAY['en'] FROM unnest($1::text[]) AS id`,
    [ids],
  );
  await forgetRules();
  const { sent } = await recordStatements(derive);
  expect(sent.length).toBeLessThan(30);
  const { rows } = await database.query('SELECT DISTINCT zone_rules FROM tenants');
  expect(rows).toEqual([{ zone_rules: ZONE_RULES }]);
});

test('a write that began before the rules came into force is waited for, and its booking is derived', async () => {
  await forgetRules();
  const [booking] = await bookingsOf();
  const tenantId = places.find(({ zone }) => zone === booking?.time_zone)?.tenantId ?? '';
  const moves = (await bookingsOf()).find(({ reference }) => reference === booking?.reference)?.version ?? 0;
  const held = await holdLock(
    database.url,
    `${sharedTenantLock(tenantId)}; UPDATE bookings SET start_time = start_time + interval '5 minutes'
     WHERE reference = '${booking?.reference}'`,
  );
  const deriving = derive();
  await held.untilWaiting();
  await held.query('COMMIT');
  await held.release();
  expect(await deriving).toMatchObject({ before: '2000a', moved: { [booking?.time_zone ?? '']: 1 } });
  expect(await bookingsOf()).toContainEqual(
    expect.objectContaining({ reference: booking?.reference, version: moves + 1 }),
  );
});

test('the Environment page and the metrics state the rules of the server', async () => {
  const registry = new Registry();
  registerGauges(registry);
  expect(await registry.metrics()).toContain(`partner_booking_time_zone_rules{version="${ZONE_RULES}"} 1`);
  const facts = await environmentFacts(new Date(), places[0]?.tenantId ?? '');
  expect(facts).toMatchObject({ zone_rules: ZONE_RULES });
});
