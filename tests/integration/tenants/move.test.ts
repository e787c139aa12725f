import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { STEPS } from '@/lib/operations/tenants/move/move';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db } from '@/lib/platform/db';
import { OWNER } from '@/lib/platform/postgres/roles';
import { actionPath, BOOKINGS, type Desk } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makePerson, openSessionOf } from '@/tests/support/control-center';
import { repeats } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { withinLimit } from '@/tests/support/within-limit';
import {
  type Cells,
  createAsPartner,
  expectMoved,
  isActive,
  killed,
  LONG,
  makeBusyDesk,
  move,
  routed,
  startCells,
  type Write,
} from './move-world';

let cells: Cells;

beforeAll(async () => {
  cells = await startCells();
}, 60_000);

afterAll(() => cells.stop());

/** Milliseconds between two writes. Without a pause, the writers would use all of the processor time. */
const PAUSE = LONG ? 25 : 100;

const slowestOf = (writes: Write[]) => Math.max(...writes.map(({ waited }) => waited));

/**
 * Creates bookings until the returned function `stop` is called. Calls `onWrite` after every third booking. The
 * returned list `writes` contains the bookings created so far.
 */
function keepWriting(desk: Desk, writers: number, onWrite: (made: Write) => Promise<void> = async () => {}) {
  const writes: Write[] = [];
  let ended = false;
  const write = async () => {
    while (!ended) {
      const made = await createAsPartner(cells, desk);
      expect([made.reply.status, made.reply.text]).toEqual([201, expect.any(String)]);
      writes.push(made);
      await delay(PAUSE);
      if (writes.length % 3 === 0) await onWrite(made);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, write));
  const stop = () => {
    ended = true;
    return writing;
  };
  return { writes, stop };
}

/**
 * Moves a tenant while partners write and owners change data. Asserts that nothing is lost. Another tenant of the same
 * cell writes too, for comparison, because every write takes longer on a busy machine. `took` is the larger of two
 * differences between durations in milliseconds. The duration of a write includes its retries.
 * - the moved tenant's slowest write during the move, minus the other tenant's slowest write during the move
 * - the other tenant's slowest write during the move, minus the slowest write of either tenant before the move
 */
async function moveWhileWriting(): Promise<{ took: number }> {
  const [desk, otherDesk] = [await makeBusyDesk(), await makeBusyDesk()];
  const other = keepWriting(otherDesk, 1);
  const cancelled: string[] = [];
  const { writes, stop } = keepWriting(desk, 3, async (made) => {
    const { reference, version } = made.reply.data.booking;
    const client = await routed(cells, desk.key);
    const path = actionPath(reference, 'cancel');
    const reply = await client(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `cancel-${reference}` },
      body: JSON.stringify({ expected_version: version, reason: 'other' }),
    });
    if (reply.status === 200) cancelled.push(reference);
    else expect(reply.status).toBe(503);
  });
  await until(
    async () => writes.length,
    (count) => count >= 20,
  );
  // The first writes are not compared, because the first requests to a new server take longer than later requests.
  const before = slowestOf([...writes.slice(10), ...other.writes.slice(3)]);
  const begun = [writes.length, other.writes.length];
  const person = { userId: '' };
  const issued = { key: '' };
  const onStep = async (step: string) => {
    if (step !== 'bulk') return;
    // Owners make these changes after all rows of the tenant have been copied once.
    await db().location.update({ where: { id: desk.location.id }, data: { city: 'Elsewhere' } });
    await db().specialistHours.deleteMany({ where: { specialistId: desk.ids[0], weekday: 7 } });
    Object.assign(person, await makePerson(desk.tenant.id));
    const { tenant, applicationId } = desk;
    const actor = { kind: 'system' } as const;
    const issue = { tenantId: tenant.id, applicationId, name: 'New', expiresAt: null, actor };
    Object.assign(issued, await issueKey(new Date(), issue));
    await delay(repeats(200, 2_000));
  };
  const { waited } = await move(cells, desk.tenant.id, { onStep, settle: 1_500 });
  await delay(repeats(500, 2_000));
  await Promise.all([stop(), other.stop()]);
  expect(writes.length).toBeGreaterThan(20);
  expect(waited).toBeGreaterThan(0);
  await expectMoved(cells, desk, writes);
  const { rows } = await cells.there.query(
    `SELECT reference FROM bookings WHERE status = 'cancelled' AND tenant_id = $1`,
    [desk.tenant.id],
  );
  expect(rows.map(({ reference }) => reference)).toEqual(expect.arrayContaining(cancelled));
  const { rows: changed } = await cells.there.query(
    `SELECT (SELECT city FROM locations WHERE id = $1) AS city, (SELECT email FROM users WHERE id = $2) AS email,
       (SELECT count(*)::int FROM specialist_hours WHERE specialist_id = $3) AS hours`,
    [desk.location.id, person.userId, desk.ids[0]],
  );
  expect(changed).toEqual([{ city: 'Elsewhere', email: expect.any(String), hours: 6 }]);
  // The request log contains each write.
  const ids = writes.map(({ reply }) => reply.requestId);
  const counted = 'SELECT count(*)::int AS count FROM request_log WHERE request_id = ANY ($1)';
  await until(
    async () => (await cells.there.query(counted, [ids])).rows[0].count,
    (count) => count === ids.length,
  );
  for (const key of [desk.key, issued.key]) {
    const reply = await (await routed(cells, key))(`${BOOKINGS}?external_reference=none`);
    expect(reply.status).toBe(200);
    const late = await createClient({ origin: cells.servers[0]?.origin ?? '', key })(
      `${BOOKINGS}?external_reference=none`,
    );
    expect([late.status, late.error.code, late.headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
  }
  const cookie = await openSessionOf(person);
  const page = await request(`${cells.servers[0]?.origin}/t/${desk.tenant.id}/audit`, { headers: { cookie } });
  expect(await page.body.text()).toContain('This business has moved');
  await expect(move(cells, desk.tenant.id)).rejects.toThrow('was already moved');
  await expect(setTenantSuspended(new Date(), desk.tenant.id, false)).rejects.toMatchObject({
    fields: [{ path: 'tenant', message: expect.stringContaining('is served by another cell') }],
  });
  const [moved, others] = [slowestOf(writes.slice(begun[0])), slowestOf(other.writes.slice(begun[1]))];
  return { took: Math.max(moved - others, others - before) };
}

/** Closes the connections of the role `OWNER` to the second cell's database. */
const closeTarget = async () => {
  await cells.there.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = $1',
    [OWNER],
  );
};

type Step = (typeof STEPS)[number];

const LOSSES: Step[] = LONG
  ? ['noting', 'bulk', 'round', 'locked', 'copied', 'left', 'entered']
  : ['bulk', 'locked', 'entered'];

type Interruption = ['ends' | 'loses the other database', Step];

const ENDS = STEPS.map((step): Interruption => ['ends', step]);
const LOST = LOSSES.map((step): Interruption => ['loses the other database', step]);

/**
 * Each entry lists the interruptions of one tenant's move. After each interruption, the test repeats the move. With
 * `LONG`, every interruption is also tested alone, because earlier interruptions can change its effect.
 */
const INTERRUPTED = LONG ? [ENDS, ...[...ENDS, ...LOST].map((one) => [one])] : [ENDS, LOST];

const described = (all: Interruption[]) => `${all[0]?.[0]} at ${all.map(([, step]) => step).join(', ')}`;

test.each(INTERRUPTED.map((all) => [described(all), all] as const))(
  'a move can be repeated, and nothing is lost, if it %s',
  async (_, interruptions) => {
    const desk = await makeBusyDesk();
    const writes = [await createAsPartner(cells, desk)];
    let failed = true;
    for (const [how, at] of interruptions) {
      let reached = false;
      const onStep = async (step: string) => {
        // Sends a write only during the first two steps, because the move makes writes wait during the later steps.
        if (step === 'noting' || step === 'bulk') writes.push(await createAsPartner(cells, desk));
        if (reached || step !== at) return;
        reached = true;
        await (how === 'ends' ? killed() : closeTarget());
      };
      failed = await move(cells, desk.tenant.id, { onStep }).then(
        () => false,
        () => true,
      );
      expect([at, reached]).toEqual([at, true]);
      const active = [await isActive(cells.here, desk.tenant.id), await isActive(cells.there, desk.tenant.id)];
      expect(active).not.toEqual([true, true]);
      // A write succeeds in the first cell if the tenant is still active there. From the step `directory` on, the proxy
      // sends the write to the second cell, where the tenant is active.
      if (failed && (active[0] || at === 'directory' || at === 'late')) writes.push(await createAsPartner(cells, desk));
    }
    if (failed) await move(cells, desk.tenant.id);
    writes.push(await createAsPartner(cells, desk));
    await expectMoved(cells, desk, writes);
  },
  120_000,
);

// This test runs last, because the first requests to a new server are slow. Writes could wait longer than two seconds.
test('partners write while a tenant moves: no write waits two seconds, is lost, or is made twice', async () => {
  expect((await withinLimit(2_000, moveWhileWriting)).took).toBeLessThan(2_000);
}, 240_000);
