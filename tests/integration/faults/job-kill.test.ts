import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitUpcoming } from '@/lib/booking/bookings/upcoming';
import { continueErasure, runErasures } from '@/lib/booking/customers/run-erasures';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { exclusiveTenantLock } from '@/lib/platform/locks';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { callProcedure, makePerson, openSessionOf, type Person } from '@/tests/support/control-center';
import { holdLock } from '@/tests/support/held-lock';
import { expectIntact } from '@/tests/support/invariants';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { SOAK } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';
import { callAs, memberIn } from '../isolation/calls';
import { callRoute } from '../isolation/requests';

const HOUR = 3_600_000;
const SMOKE = SOAK ? 'server' : 'connection';

let database: OwnDatabase;
let server: TestServer;

// In the soak, each test goes on with the server of the previous one.
beforeAll(async () => {
  database = await ownDatabase();
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
});
afterAll(async () => {
  await server?.stop();
  await database.drop();
});

const start = async () => {
  server = await startServer({ databaseUrl: database.url, env: { SECRET_KEY: env().SECRET_KEY } });
};

/** Returns a function that calls procedures as the member in this process, which takes no start. */
async function callerOf(person: Person) {
  const member = await memberIn(person);
  return async (path: string, input: object): Promise<{ status: number; data: unknown }> => {
    const { status, body } = await callAs({ member }, path, JSON.stringify(input), new Date());
    return { status, data: JSON.parse(body) };
  };
}

/**
 * Kills the server while a statement that contains `part` waits for the table, and returns when the statement has ended.
 * `connection`: kills only what the server's end would kill in the database, which takes no start.
 */
async function killWhile(table: string, part: string, work: () => Promise<unknown>, what: 'server' | 'connection') {
  const lock = await holdLock(database.url, `LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  const matching = `FROM pg_stat_activity WHERE datname = current_database()
    AND pid <> pg_backend_pid() AND state <> 'idle' AND query LIKE '%' || $1 || '%'`;
  const running = async () => {
    const { rows } = await database.query(`SELECT count(*)::int AS count ${matching}`, [part]);
    return Number(rows[0]?.count);
  };
  const done = work().catch(() => undefined);
  await until(running, (count) => count > 0);
  if (what === 'server') await server.kill();
  else await database.query(`SELECT pg_terminate_backend(pid) ${matching}`, [part]);
  await lock.release();
  await done;
  await until(running, (count) => count === 0);
}

test('a server that is killed while it imports bookings has imported all or none', async () => {
  const desk = await makeDesk();
  const owner = await makePerson(desk.tenant.id);
  const cookie = await openSessionOf(owner);
  const bookings = ['09:00', '10:00', '11:00', '12:00'].map((start_time) => ({
    service: 'haircut',
    specialist: desk.ids[0],
    date: dayAhead(),
    start_time,
    customer_name: CUSTOMER.name,
    customer_phone: CUSTOMER.phone,
    consent_to_contact: true,
  }));
  const text = JSON.stringify({ format: 'partner-booking-bookings/1', bookings });
  const counts = async () => {
    const where = { where: { tenantId: desk.tenant.id } };
    const counted = [db().booking.count(where), db().slotClaim.count(where), db().event.count(where)];
    return Promise.all([...counted, db().auditLog.count({ where: { ...where.where, action: 'bookings.imported' } })]);
  };
  const call = await callerOf(owner);
  const check = async () =>
    (await call('bookings.transfer.check', { text })).data as { basis: string; created: number; known: number };
  const { basis } = await check();
  await start();
  const sent = { origin: server.origin, cookie, type: 'mutation' as const, input: { text, basis } };
  const importing = () => callProcedure('bookings.transfer.import', sent);
  await killWhile('audit_log', 'INSERT INTO audit_log', importing, 'server');
  expect([
    [0, 0, 0, 0],
    [4, 4, 4, 1],
  ]).toContainEqual(await counts());
  const again = await check();
  expect(again.created + again.known).toBe(4);
  expect(await call('bookings.transfer.import', { text, basis: again.basis })).toMatchObject({ status: 200 });
  expect(await counts()).toEqual([4, 4, 4, 1]);
  await expectIntact(desk.tenant.id);
});

test('a server that is killed while it emits booking.upcoming loses and doubles none, and a busy tenant delays no other', async () => {
  const [desk, busy] = [await makeDesk({ service: SOON }), await makeDesk({ service: SOON })];
  for (const one of [desk, busy]) {
    await bookSoon(one);
    await addEndpoint(one.tenant.id, one.applicationId, 'http://127.0.0.1:59998/');
  }
  // As if they had been made long before.
  await database.query(
    `UPDATE bookings SET created_at = now() - interval '3 days', updated_at = now() - interval '3 days'`,
  );
  await killWhile('deliveries', 'INSERT INTO events', SOAK ? start : () => emitUpcoming(new Date()), SMOKE);
  const emitted = async ({ tenant }: typeof desk) => {
    const { rows } = await database.query(
      `SELECT e.booking_reference, count(DISTINCT e.id)::int AS events, count(d.id)::int AS deliveries FROM events e
       LEFT JOIN deliveries d ON d.event_id = e.id WHERE e.tenant_id = $1 AND e.type = 'booking.upcoming' GROUP BY 1`,
      [tenant.id],
    );
    return rows.map(({ events, deliveries }) => [events, deliveries]);
  };
  const each = [
    [1, 1],
    [1, 1],
    [1, 1],
  ];
  const lock = await holdLock(database.url, exclusiveTenantLock(busy.tenant.id));
  const runs = await Promise.allSettled([1, 2].map(() => emitUpcoming(new Date())));
  expect(await emitted(desk)).toEqual(each);
  await lock.release();
  expect(runs.some(({ status }) => status === 'rejected') || (await emitted(busy)).length === 3).toBe(true);
  if (SOAK) {
    await start();
    await until(
      () => emitted(busy),
      (found) => found.length === 3,
    );
  }
  await emitUpcoming(new Date());
  expect([await emitted(desk), await emitted(busy)]).toEqual([each, each]);
});

test('a server that is killed while it erases a customer leaves the erasure running, and the next one completes it', async () => {
  const desk = await makeDesk({ service: { minLeadMinutes: 0, capacity: 60 } });
  const owner = await makePerson(desk.tenant.id);
  const cookie = await openSessionOf(owner);
  const call = await callerOf(owner);
  // More than one transaction: 55 of the business, and 3 of a partner.
  const bookings = Array.from({ length: 55 }, (_, index) => ({
    service: 'haircut',
    specialist: desk.ids[0],
    date: dayAhead(7 + Math.floor(index / 7)),
    start_time: `${10 + (index % 7)}:00`,
    customer_name: CUSTOMER.name,
    customer_phone: CUSTOMER.phone,
    consent_to_contact: true,
  }));
  const text = JSON.stringify({ format: 'partner-booking-bookings/1', bookings });
  const { basis } = (await call('bookings.transfer.check', { text })).data as { basis: string };
  expect(await call('bookings.transfer.import', { text, basis })).toMatchObject({ status: 200 });
  await bookSoon(desk);
  await addEndpoint(desk.tenant.id, desk.applicationId, 'http://127.0.0.1:59998/');
  const found = (await call('privacy.customer.find', { phone: CUSTOMER.phone })).data as {
    bookings: { reference: string }[];
  };
  const references = found.bookings.map(({ reference }) => reference);
  expect(references).toHaveLength(58);
  const state = async () => {
    const { rows } = await database.query(
      `SELECT e.state, (SELECT count(*)::int FROM erasure_bookings i WHERE i.erasure_id = e.id AND i.erased_at IS NOT NULL) AS erased,
         (SELECT count(*)::int FROM bookings b WHERE b.tenant_id = e.tenant_id AND b.customer_name IS NULL) AS gone,
         (SELECT count(*)::int FROM events v WHERE v.tenant_id = e.tenant_id AND v.type = 'booking.anonymized') AS told,
         coalesce((e.counts->>'contacts')::int, 0) AS counted,
         (SELECT count(*)::int FROM audit_log g WHERE g.tenant_id = e.tenant_id AND g.action = 'customer.erased') AS audited
       FROM erasures e WHERE e.tenant_id = $1`,
      [desk.tenant.id],
    );
    return rows[0];
  };
  // Inside of a transaction: all of it is undone, and what was committed before stays.
  const erase = { found_by: 'phone', references, confirmation: 'ERASE' };
  const erasing = async () => {
    if (SOAK)
      return callProcedure('privacy.customer.erase', { origin: server.origin, cookie, type: 'mutation', input: erase });
    await call('privacy.customer.erase', erase);
    return runErasures(new Date());
  };
  await killWhile('deliveries', 'INSERT INTO events', erasing, SMOKE);
  const killed = await state();
  expect(killed?.erased).toBeLessThan(58);
  const partly = ({ erased }: { erased?: number }) => ({
    state: 'running',
    erased,
    gone: erased,
    counted: erased,
    audited: 0,
  });
  expect(killed).toEqual({ ...partly(killed ?? {}), told: 0 });
  // Between two transactions: an erasure of which a part is done is not done.
  const { rows } = await database.query('SELECT id, tenant_id FROM erasures WHERE tenant_id = $1', [desk.tenant.id]);
  const [erasure] = rows as { id: string; tenant_id: string }[];
  if (killed?.erased === 0 && erasure) expect(await continueErasure(new Date(), erasure)).toBe('more');
  expect(await state()).toMatchObject(partly({ erased: 50 }));
  if (SOAK) await start();
  else expect(await runErasures(new Date())).toBe(1);
  expect(await until(state, (one) => one?.state === 'done')).toEqual({
    ...{ state: 'done', erased: 58, gone: 58, told: 3, counted: 58, audited: 1 },
  });
  expect(await runErasures(new Date())).toBe(0);
});

const SOON = { minLeadMinutes: 0, capacity: 1 };

/** Makes three bookings that start within 3 to 23 hours. */
async function bookSoon({ key, service, location }: Awaited<ReturnType<typeof makeDesk>>): Promise<void> {
  const place = { service_id: service.id, location_id: location.id };
  const range = { date: dayAhead(0), date_to: dayAhead(2), limit: '96' };
  const found = await callRoute('listAvailability', key, { query: { ...place, ...range } });
  const { slots } = (
    JSON.parse(String(found.body)) as { data: { slots: { starts_at: string; date: string; start_time: string }[] } }
  ).data;
  const soon = slots.filter(({ starts_at }) => {
    const hours = (Date.parse(starts_at) - Date.now()) / HOUR;
    return hours > 3 && hours < 23;
  });
  // At any time of day, at least seven starts are that near.
  const separate = soon.filter((_, index) => index % 2 === 0).slice(0, 3);
  expect(separate.length).toBe(3);
  for (const { date, start_time } of separate) {
    const body = { ...place, date, start_time, external_reference: 'soon', customer: CUSTOMER };
    const reply = await callRoute('createBooking', key, { body, idempotencyKey: randomUUID() });
    expect(reply.status).toBe(201);
  }
}
