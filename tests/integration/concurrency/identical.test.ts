import { afterAll, beforeAll, expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { expectIntact } from '@/tests/support/invariants';
import { startServer, type TestServer } from '@/tests/support/server';
import { sharedServer } from '@/tests/support/shared';
import { repeats, SOAK } from '@/tests/support/soak';
import {
  type BookingReply,
  cancelOf,
  createOf,
  createPartner,
  dayAhead,
  makeStage,
  outcomes,
  type Partner,
  rescheduleOf,
  type Write,
} from '@/tests/support/storm';

const DUPLICATES = repeats(12, 50);
/** Two servers show what one server shows, and more. */
const SERVERS = SOAK ? (['two servers', 'one server'] as const) : (['two servers'] as const);
const wish = { date: dayAhead(7), start_time: '11:00' };
let other: TestServer;

beforeAll(async () => {
  // It also delivers webhooks of other tests.
  other = await startServer({ databaseUrl: sharedServer().databaseUrl, env: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
});

afterAll(async () => {
  await other.stop();
});

/** Sends the same write several times concurrently, alternating between the servers. */
async function sendDuplicates(
  key: string,
  write: Write,
  servers: 'one server' | 'two servers',
): Promise<BookingReply[]> {
  const origins = servers === 'one server' ? [sharedServer().origin] : [sharedServer().origin, other.origin];
  const partners = origins.map((origin) => createPartner(origin, key));
  const turn = (index: number) => partners[index % partners.length] as Partner;
  return Promise.all(Array.from({ length: DUPLICATES }, (_, index) => turn(index).insist(write)));
}

/** Asserts that one response is the original and that all other responses replay it with equal data. */
function expectOneDone(replies: readonly BookingReply[], status: number): void {
  expect(outcomes(replies)).toEqual({ [status]: DUPLICATES });
  const [original, ...none] = replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined);
  expect(none).toEqual([]);
  for (const reply of replies) {
    expect(reply.data).toEqual(original?.data);
    if (reply !== original) expect(reply.headers['x-original-request-id']).toBe(original?.requestId);
  }
  expect(new Set(replies.map(({ requestId }) => requestId)).size).toBe(DUPLICATES);
}

async function count(table: 'bookings' | 'events', tenantId: string): Promise<number> {
  const { rows } = await pool().query(`SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  return rows[0]?.count;
}

test.each(SERVERS)(
  'identical creates at %s create one booking, and all get the same data',
  async (servers) => {
    const { tenantId, place, keys } = await makeStage({ specialists: 3, services: [{ capacity: 60 }] });
    const replies = await sendDuplicates(keys[0] ?? '', createOf(place, wish), servers);
    expectOneDone(replies, 201);
    expect(await count('bookings', tenantId)).toBe(1);
    await expectIntact(tenantId);
  },
  90_000,
);

test.each(SERVERS)(
  'identical reschedules and cancels at %s make one version each',
  async (servers) => {
    const { tenantId, place, keys } = await makeStage({ specialists: 2 });
    const [key = ''] = keys;
    const made = await createPartner(other.origin, key).insist(createOf(place, wish));
    const moves = await sendDuplicates(key, rescheduleOf(made.data.booking, { ...wish, start_time: '15:00' }), servers);
    expectOneDone(moves, 200);
    expect(moves[0]?.data.booking).toMatchObject({ version: 2, start_time: '15:00' });
    expectOneDone(await sendDuplicates(key, cancelOf({ ...made.data.booking, version: 2 }), servers), 200);
    expect(await count('events', tenantId)).toBe(3);
    await expectIntact(tenantId);
  },
  90_000,
);

test.each(SERVERS)(
  `${DUPLICATES} identical creates at %s for a taken slot are all refused, and the same request succeeds once it is free`,
  async (servers) => {
    const { tenantId, place, keys } = await makeStage();
    const [key = ''] = keys;
    const partner = createPartner(sharedServer().origin, key);
    const guest = await partner.insist(createOf(place, wish));
    expect(outcomes([guest])).toEqual({ 201: 1 });
    const late = createOf(place, wish);
    expect(outcomes(await sendDuplicates(key, late, servers))).toEqual({ '409 slot_taken': DUPLICATES });
    expect(await count('bookings', tenantId)).toBe(1);
    expect(outcomes([await partner.insist(cancelOf(guest.data.booking))])).toEqual({ 200: 1 });
    expectOneDone(await sendDuplicates(key, late, servers), 201);
    expect(await count('bookings', tenantId)).toBe(2);
    await expectIntact(tenantId);
  },
  90_000,
);

test(`one key with different bodies at once creates one booking; the others get idempotency_key_reused`, async () => {
  const { tenantId, place, keys } = await makeStage({ services: [{ capacity: 60 }] });
  const partner = createPartner(sharedServer().origin, keys[0] ?? '');
  const { key } = createOf(place, wish);
  const writes = Array.from({ length: DUPLICATES }, (_, index) => {
    const write = createOf(place, wish);
    return { ...write, key, body: { ...write.body, external_reference: `order ${index}` } };
  });
  const replies = await Promise.all(writes.map(partner.insist));
  expect(outcomes(replies)).toEqual({ 201: 1, '409 idempotency_key_reused': DUPLICATES - 1 });
  expect(await count('bookings', tenantId)).toBe(1);
  await expectIntact(tenantId);
});
