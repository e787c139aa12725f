import { expect, test } from 'vitest';
import { THIN_EVENT_TYPES } from '@/lib/contract/events';
import { createBooking, listCatalog } from '@/lib/contract/operations';
import { markChanged } from '@/lib/platform/cache/changes';
import { db, pool } from '@/lib/platform/db';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeBusiness } from '@/tests/support/factories';
import { expectIntact } from '@/tests/support/invariants';
import { CATALOG } from '@/tests/support/paths';
import { startReceiver } from '@/tests/support/receiver';
import type { TestServer } from '@/tests/support/server';
import { createOf, createPartner, makeStage, outcomes } from '@/tests/support/storm';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';
import { pairOfFile } from './stage';

const pair = pairOfFile();

/** Maximum milliseconds until every process has applied a change (architecture 6). */
const PROPAGATION_MS = 1_000;
/** Maximum milliseconds until an event has arrived on a busy machine. */
const PATIENCE = 60_000;

/**
 * Signs in an owner at the load balancer, which chooses a process. Returns a function that then calls procedures of
 * `server` directly.
 */
async function signIn(tenantId: string, server: TestServer) {
  const owner = await makePerson(tenantId);
  const cookie = await signInOverHttp(pair.balancer.origin, owner.email, owner.password);
  expect(cookie).not.toBeNull();
  return (type: 'query' | 'mutation', path: string, input: unknown) =>
    callProcedure(path, { origin: server.origin, cookie, type, input });
}

/**
 * Reads from both processes until both return `expected`. Every read that begins at least one second after the change
 * must return `expected`.
 */
async function expectAtBoth(
  read: (server: TestServer) => Promise<unknown>,
  expected: unknown,
  changed: number,
): Promise<void> {
  const expectAt = async (server: TestServer) => {
    const readOnce = async () => {
      const startedAt = performance.now();
      const value = await read(server);
      if (startedAt - changed >= PROPAGATION_MS) expect(value).toEqual(expected);
      return value;
    };
    await until(readOnce, (value) => value === expected);
  };
  await Promise.all([expectAt(pair.one), expectAt(pair.two)]);
}

test('a change that an owner makes at one process applies at the other within a second', async () => {
  const { tenant, key, keyId, applicationId, service } = await makeBusiness();
  const call = await signIn(tenant.id, pair.one);
  const statusAt = async (server: TestServer) => (await createClient({ origin: server.origin, key })(CATALOG)).status;
  const servicesAt = async (server: TestServer) => {
    const reply = await createClient({ origin: server.origin, key })(CATALOG, { operation: listCatalog });
    return reply.data.services.length;
  };
  await expectAtBoth(servicesAt, 1, performance.now());

  const { version } = (await call('query', 'catalog.services.get', { id: service.id })).data as { version: number };
  const unpublished = { id: service.id, expected_version: version, published: false };
  expect(await call('mutation', 'catalog.services.set_published', unpublished)).toMatchObject({ status: 200 });
  await expectAtBoth(servicesAt, 0, performance.now());

  const suspended = { application_id: applicationId, suspended: true };
  expect(await call('mutation', 'applications.set_suspended', suspended)).toMatchObject({ status: 200 });
  await expectAtBoth(statusAt, 403, performance.now());
  await call('mutation', 'applications.set_suspended', { ...suspended, suspended: false });
  await expectAtBoth(statusAt, 200, performance.now());

  expect(await call('mutation', 'keys.revoke', { key_id: keyId })).toMatchObject({ status: 200 });
  await expectAtBoth(statusAt, 401, performance.now());
});

test('with the token of an event, each process answers with what the event told', async () => {
  const { tenant, key, applicationId, service } = await makeBusiness();
  const receiver = await startReceiver();
  await addEndpoint(tenant.id, applicationId, receiver.url, new Date(), THIN_EVENT_TYPES);
  const told = (type: string, count: number) =>
    until(
      async () => receiver.received.map(({ body }) => JSON.parse(body)).filter((event) => event.type === type),
      (events) => events.length === count,
      PATIENCE,
    );
  const watch = 'UPDATE change_watches SET next_at = now() WHERE tenant_id = $1';
  await until(
    async () => (await pool().query(watch, [tenant.id])).rowCount,
    (rows) => rows === 1,
    PATIENCE,
  );
  await told('catalog.changed', 1);
  const at = ({ origin }: TestServer) => createClient({ origin, key });
  for (const [i, name] of ['Trim', 'Shave'].entries()) {
    await db().service.update({ where: { id: service.id }, data: { name: { en: name } } });
    await markChanged(db(), 'catalog', tenant.id);
    const event = (await told('catalog.changed', i + 2)).at(-1);
    const replies = await Promise.all(
      [pair.one, pair.two].map((server) => at(server)(`${CATALOG}?min_token=${event.data.token}`)),
    );
    for (const { text } of replies) expect(text).toContain(`"${name}"`);
  }
  await told('availability.changed', 1);
  await receiver.close();
});

test('both processes together accept exactly the quota, and the headers count it down', async () => {
  const { key } = await makeBusiness({ quota: 20 });
  const client = createClient({ origin: pair.balancer.origin, key });
  const startedAt = Math.floor(Date.now() / 1000);
  const first = [];
  for (let i = 0; i < 8; i += 1) first.push(await client(CATALOG));
  expect(first.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([
    19, 18, 17, 16, 15, 14, 13, 12,
  ]);
  expect(new Set(first.map(({ headers }) => headers['x-served-by'])).size).toBe(2);
  const rest = await Promise.all(Array.from({ length: 40 }, () => client(CATALOG)));
  expect(rest.filter(({ status }) => status === 200)).toHaveLength(12);
  expect(rest.filter(({ status }) => status === 429)).toHaveLength(28);
  const left = rest.filter(({ status }) => status === 200).map(({ headers }) => headers['x-ratelimit-remaining']);
  expect(left.map(Number).sort((a, b) => b - a)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  for (const { headers } of [...first, ...rest]) {
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(startedAt);
    expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(startedAt + 62);
  }
});

test('concurrent creates at both processes book a slot once', async () => {
  const { place, keys, tenantId } = await makeStage();
  const partner = createPartner(pair.balancer.origin, keys[0] ?? '');
  const guests = Array.from({ length: 30 }, () => createOf(place, { date: dayAhead(), start_time: '10:00' }));
  const replies = await Promise.all(guests.map(partner.insist));
  expect(outcomes(replies)).toEqual({ 201: 1, '409 slot_taken': 29 });
  expect(new Set(replies.map(({ headers }) => headers['x-served-by'])).size).toBe(2);
  await expectIntact(tenantId);
});

test('a write repeated at the other process is replayed, even while the first one is still running', async () => {
  const { tenant, key, service, location } = await makeBusiness();
  const body = (start_time: string) => ({
    service_id: service.id,
    location_id: location.id,
    date: dayAhead(),
    start_time,
    external_reference: 'order-4711',
    customer: CUSTOMER,
  });
  const at = ({ origin }: { origin: string }) => createClient({ origin, key });
  const sending = { key: 'one-and-the-same-write' };
  const made = await post(at(pair.one), BOOKINGS, createBooking, body('09:00'), sending);
  const again = await post(at(pair.two), BOOKINGS, createBooking, body('09:00'), sending);
  expect([made.status, again.status]).toEqual([201, 201]);
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-original-request-id': made.requestId });
  expect(again.data).toEqual(made.data);
  const other = await post(at(pair.two), BOOKINGS, createBooking, body('11:00'), sending);
  expect([other.status, other.error.code]).toEqual([409, 'idempotency_key_reused']);

  const throughProxy = at(pair.balancer);
  const duplicates = await Promise.all(
    Array.from({ length: 12 }, () =>
      post(throughProxy, BOOKINGS, createBooking, body('10:00'), { key: 'twelve-at-the-same-time' }),
    ),
  );
  expect(outcomes(duplicates)).toEqual({ 201: 12 });
  expect(duplicates.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  expect(new Set(duplicates.map(({ data }) => data.booking.reference)).size).toBe(1);
  expect(await db().booking.count({ where: { tenantId: tenant.id } })).toBe(2);
  await expectIntact(tenant.id);
});

test('the client address is the one that the proxy reports', async () => {
  const { key } = await makeBusiness();
  const address = '127.77.7.7';
  const client = createClient({ origin: pair.balancer.origin, key, address });
  const { requestId } = await client(CATALOG, { headers: { 'x-forwarded-for': '203.0.113.5' } });
  const entry = await until(
    () => db().requestLog.findUnique({ where: { requestId } }),
    (found) => found !== null,
  );
  expect(entry?.address).toBe(address);
  expect(pair.balancer.failures).toEqual([]);
});
