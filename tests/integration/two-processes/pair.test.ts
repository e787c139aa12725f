import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { THIN_EVENT_TYPES } from '@/lib/contract/events';
import { createBooking, listCatalog } from '@/lib/contract/operations';
import { seedSandbox } from '@/lib/operations/sandbox/seed/sandbox';
import { markChanged } from '@/lib/platform/cache';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { exclusiveTenantLock } from '@/lib/platform/locks';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeBusiness, makeTenant } from '@/tests/support/factories';
import { type HeldLock, holdLock } from '@/tests/support/held-lock';
import { insertRows } from '@/tests/support/insert';
import { expectIntact } from '@/tests/support/invariants';
import { readMetrics, sumOf } from '@/tests/support/metrics';
import { CATALOG } from '@/tests/support/paths';
import { newSeed, seeded } from '@/tests/support/random';
import { startReceiver, status } from '@/tests/support/receiver';
import { DAY as CLOCK_DAY, sandboxOf } from '@/tests/support/sandbox';
import type { TestServer } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';
import { createOf, createPartner, makeStage, onlyBroken, outcomeOf, outcomes } from '@/tests/support/storm';
import { expectTruth, sendLoad } from '@/tests/support/truth';
import { until } from '@/tests/support/until';
import { addEndpoint, makeWebhook } from '@/tests/support/webhooks';
import { mixedWrites } from '../faults/writes';
import { pairOfFile } from './stage';

const DAY = 86_400_000;
const OLD_ENTRIES = 200;
/** Maximum milliseconds to wait until both processes have run their jobs. A busy machine can take this long. */
const PATIENCE = 60_000;

/** Seconds in which the proxy must detect a draining process. A health check can take seconds on a busy machine. */
const DRAIN_DELAY = 5;

// The jobs are due when the processes start, and run during the first tests. The last test stops one of the processes.
const pair = pairOfFile({ before: fillDatabase, drainDelay: DRAIN_DELAY });
let held: HeldLock;

async function fillDatabase(): Promise<void> {
  // Makes a reset of the sandbox due, so that both processes find it when they start.
  await seedSandbox(db(), new Date());
  await db().tenant.updateMany({ data: { resetPolicy: 'DAILY', lastResetAt: new Date(Date.now() - 3 * DAY) } });
  await db().service.updateMany({ data: { published: false } });
  const at = new Date(Date.now() - 100 * DAY);
  const entry = { at, method: 'GET', status: 200, durationMs: 1 };
  await insertRows(['request_log', Array.from({ length: OLD_ENTRIES }, () => ({ ...entry, requestId: newId('req') }))]);
  // Holds the lock of a tenant, like a slow reset. Retention stops waiting before the lock is released.
  const { id } = await makeTenant();
  held = await holdLock(pair.database.url, exclusiveTenantLock(id));
}

const servers = () => [pair.one, pair.two];

async function countedByBoth(name: string): Promise<number[]> {
  return Promise.all(servers().map(async ({ origin }) => sumOf(await readMetrics(origin), name)));
}

test('two workers make each attempt once, and both take part', async () => {
  const receiver = await startReceiver();
  const hooks = await Promise.all(Array.from({ length: 4 }, () => makeWebhook(receiver.url)));
  const attempts = () => countedByBoth('partner_booking_webhook_attempt_duration_seconds_count');
  let emitted = 0;
  // One process can take all deliveries of a round. The round is therefore repeated until both processes have made an
  // attempt.
  const round = async () => {
    for (const hook of hooks) emitted += (await hook.emit(5)).length;
    await until(
      async () => (await Promise.all(hooks.map((hook) => hook.deliveries()))).flat(),
      (rows) => rows.every(({ state }) => state === 'succeeded'),
    );
    return attempts();
  };
  const shares = await until(round, (counts) => counts.every((count) => count > 0), 30_000);
  expect(shares.reduce((sum, count) => sum + count, 0)).toBe(emitted);
  expect(receiver.received).toHaveLength(emitted);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(emitted);
  const rows = (await Promise.all(hooks.map((hook) => hook.deliveries()))).flat();
  expect(new Set(rows.map((row) => row.attempts))).toEqual(new Set([1]));
  await receiver.close();
}, 60_000);

/** Maximum milliseconds until every process has applied a change (architecture 6). */
const PROPAGATION_MS = 1_000;

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
  for (const [i, name] of ['Trim', 'Shave'].slice(0, repeats(1, 2)).entries()) {
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

const CLOCK_ATTEMPTS = repeats(3, 9);

test('an advanced clock brings one attempt of a delivery after the other, and every instance knows it', async () => {
  const receiver = await startReceiver(status(500));
  const { key, emit, applicationId } = await makeWebhook(receiver.url);
  const clocks = servers().map(({ origin }) => sandboxOf(key, createClient({ origin, key })));
  const [id = ''] = await emit();
  for (let attempt = 1; attempt <= CLOCK_ATTEMPTS; attempt += 1) {
    const delivery = await until(
      () => db().delivery.findUniqueOrThrow({ where: { id } }),
      ({ scheduledAttempts }) => scheduledAttempts === attempt,
    );
    expect([attempt, delivery.state]).toEqual([attempt, attempt === CLOCK_ATTEMPTS ? 'succeeded' : 'pending']);
    if (attempt === CLOCK_ATTEMPTS - 1) receiver.answer(status(200));
    const [here, there] = attempt % 2 === 0 ? clocks : clocks.toReversed();
    await here?.advance(2 * CLOCK_DAY);
    expect((await there?.advance(0))?.data.clock.offset_seconds).toBe(attempt * 2 * CLOCK_DAY);
  }
  const attempts = receiver.received.map(({ headers }) => headers['webhook-attempt']);
  expect(attempts).toEqual(Array.from({ length: CLOCK_ATTEMPTS }, (_, index) => String(index + 1)));
  // Receivers compare the time of an attempt with their own clock.
  for (const { headers } of receiver.received)
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(120);
  expect((await db().webhookEndpoint.findUniqueOrThrow({ where: { applicationId } })).state).toBe('active');
  await receiver.close();
}, 120_000);

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

/**
 * Waits until retention in both processes has skipped the locked tenant and done the rest of its work. Then releases
 * the lock.
 */
async function releaseOnceSkipped(): Promise<void> {
  const outputs = async () => servers().map((server) => server.errors());
  await until(outputs, (texts) => texts.every((text) => /lock timeout.*"job":"prune"/.test(text)), PATIENCE);
  expect(await db().requestLog.count({ where: { at: { lt: new Date(Date.now() - 90 * DAY) } } })).toBe(0);
  await held.release();
}

test('when the nightly reset and the retention job are due in two processes, their work is done once', async () => {
  for (const job of ['reset', 'prune']) {
    const counted = (result: string) => countedByBoth(`partner_booking_jobs_total{job="${job}",result="${result}"}`);
    const errors = () => servers().flatMap((server) => server.errors().match(/.*job failed.*/g) ?? []);
    const runs = async () => ({ done: await counted('done'), failed: await counted('failed'), job, errors: errors() });
    if (job === 'prune') await releaseOnceSkipped();
    // The reset is looked for every minute.
    const { failed } = await until(runs, ({ done }) => done.every((count) => count > 0), PATIENCE);
    expect(failed).toEqual([0, 0]);
  }
  // Only one of the processes has reset the sandbox.
  expect(await db().auditLog.count({ where: { action: 'sandbox.reset' } })).toBe(1);
  expect(await db().service.count({ where: { published: true } })).toBeGreaterThan(0);
  for (const server of servers()) expect(server.errors()).not.toContain('job failed');
}, 180_000);

/** While the first process is shutting down, each client waits this many milliseconds before each write. */
const PAUSE = 250;
const CLIENTS = 6;

/**
 * After `BEFORE` successful writes, the test tells the first process to stop. Clients send further writes until at
 * least `AFTER` writes have succeeded after the exit of that process.
 */
const BEFORE = repeats(30, 100);
const AFTER = BEFORE;

/**
 * Returns the results of the health checks without repetitions. Omits `unavailable` before the drain, because a busy
 * machine can cause it. Keeps `unavailable` during the drain, because it is an error there: a draining process must
 * report only `draining`.
 */
function withoutDelays(health: string[] = []): string[] {
  const drain = health.indexOf('draining');
  const known = health.filter((seen, index) => seen !== 'unavailable' || (drain >= 0 && index > drain));
  return known.filter((seen, index) => seen !== known[index - 1]);
}

test('a process that is stopped under load loses no request, and the proxy never has to retry', async () => {
  const seed = newSeed();
  const stage = await makeStage({ specialists: 3, services: [{ capacity: 4 }] });
  const [key = ''] = stage.keys;
  const writes = mixedWrites(stage.place, seeded(seed));
  const { balancer, one, two } = pair;
  let remaining = BEFORE;
  let stopping: Promise<void> | null = null;
  let exited = false;
  let sentAtEnd = 0;
  const partner = createPartner(balancer.origin, key);
  const attempt: typeof partner.attempt = async (write) => {
    // While the first process drains, the test needs only a few writes.
    if (!exited && balancer.upstreams[0]?.health.includes('draining')) await delay(PAUSE);
    // A write that waited as long as contract B8 allows was refused because the machine is busy, not because of the drain.
    return partner.insist(write).catch(onlyBroken);
  };
  const sent = await sendLoad(
    { ...partner, attempt },
    {
      workers: CLIENTS,
      next: writes.next,
      stop: () => exited && remaining <= -AFTER,
      onResponse: (exchange) => {
        writes.record(exchange);
        if (exchange.reply && exchange.reply.status < 300) remaining -= 1;
        if (remaining > 0) return;
        stopping ??= one.stop().then(() => {
          exited = true;
          remaining = 0;
          sentAtEnd = balancer.upstreams[0]?.sent ?? 0;
        });
      },
    },
  );
  await stopping;
  const context = `seed ${seed}\n${one.errors()}\n${two.errors()}`;
  expect(await one.ended, context).toBe(0);
  expect(balancer.failures, context).toEqual([]);
  expect(
    sent.filter(({ reply }) => !reply || reply.status >= 500).map(({ reply }) => outcomeOf(reply)),
    context,
  ).toEqual([]);
  const [first, second] = balancer.upstreams;
  // The health check must fail before connections are refused.
  const [ok, draining, ...refused] = withoutDelays(first?.health);
  expect([ok, draining], context).toEqual(['ok', 'draining']);
  for (const seen of refused) expect(seen, context).toMatch(/^ECONN(REFUSED|RESET)$/);
  expect(withoutDelays(second?.health), context).toEqual(['ok']);
  expect(first?.sent, context).toBe(sentAtEnd);
  expect(sentAtEnd, context).toBeGreaterThan(0);
  const found = await expectTruth(stage.tenantId, createPartner(two.origin, key), sent, new Set());
  expect(found.received, context).toBeGreaterThanOrEqual(BEFORE + AFTER);
  expect([found.replayed, found.made], context).toEqual([0, 0]);
}, 120_000);
