import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdLock } from '@/tests/support/held-lock';
import { expectIntact, stateOf } from '@/tests/support/invariants';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { cancelOf, createOf, createPartner, dayAhead, makeStage, outcomes, warmUp } from '@/tests/support/storm';

const date = dayAhead(7);
let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url, env: { DATABASE_POOL: '2' } });
  await warmUp(server.origin);
});

afterAll(async () => {
  await server?.stop();
  await database.drop();
});

/** Returns, for each promise, the time in milliseconds until it resolved. */
async function timesOf(jobs: Promise<unknown>[]): Promise<number[]> {
  const startedAt = performance.now();
  return Promise.all(jobs.map((job) => job.then(() => performance.now() - startedAt)));
}

test('with an exhausted pool, a write gets a 503 within 5 to 8 s and changes nothing', async () => {
  const { tenantId, place, keys } = await makeStage();
  const partner = createPartner(server.origin, keys[0] ?? '');
  expect(await partner.slots(place, date)).not.toEqual([]);
  const before = await stateOf(tenantId);
  const lock = await holdLock(database.url, 'LOCK TABLE slot_claims IN ACCESS EXCLUSIVE MODE');
  const reading: ReturnType<typeof partner.slots>[] = [];
  const writes = ['10:00', '11:00', '12:00'].map((start_time) => createOf(place, { date, start_time }));
  try {
    // Sends the second read only when the first one occupies a connection. Reads sent together would share one query.
    reading.push(partner.slots(place, date));
    await lock.untilWaiting(1);
    reading.push(partner.slots(place, date));
    await lock.untilWaiting(2);
    const sending = writes.map(partner.send);
    const times = await timesOf(sending);
    expect(outcomes(await Promise.all(sending))).toEqual({ '503 service_unavailable': 3 });
    expect(Math.min(...times)).toBeGreaterThan(4_900);
    expect(Math.max(...times)).toBeLessThan(8_000);
  } finally {
    await lock.release();
  }
  expect(await stateOf(tenantId)).toEqual(before);
  for (const slots of await Promise.all(reading)) expect(slots).not.toEqual([]);
  expect(outcomes(await Promise.all(writes.map(partner.send)))).toEqual({ 201: 3 });
  await expectIntact(tenantId);
});

test('ten writes on two connections, all blocked by row locks, get a 503 within 5 to 8 s and change nothing', async () => {
  const { tenantId, place, keys } = await makeStage();
  const partner = createPartner(server.origin, keys[0] ?? '');
  const starts = (await partner.slots(place, date)).map(({ start_time }) => start_time).slice(0, 10);
  const made = await Promise.all(starts.map((start_time) => partner.prepare(createOf(place, { date, start_time }))));
  expect(outcomes(made)).toEqual({ 201: 10 });
  const before = await stateOf(tenantId);
  const cancels = made.map(({ data }) => cancelOf(data.booking));
  const lock = await holdLock(database.url, 'SELECT FROM bookings WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
  try {
    const sending = cancels.map(partner.send);
    const times = await timesOf(sending);
    expect(outcomes(await Promise.all(sending))).toEqual({ '503 service_unavailable': 10 });
    expect(Math.min(...times)).toBeGreaterThan(4_900);
    expect(Math.max(...times)).toBeLessThan(8_000);
  } finally {
    await lock.release();
  }
  expect(await stateOf(tenantId)).toEqual(before);
  expect(outcomes(await Promise.all(cancels.map(partner.send)))).toEqual({ 200: 10 });
  await expectIntact(tenantId);
});
