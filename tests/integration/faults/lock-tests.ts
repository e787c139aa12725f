import { describe, expect, test } from 'vitest';
import { exclusiveTenantLock } from '@/lib/platform/locks';
import { holdLock } from '@/tests/support/held-lock';
import { expectIntact, stateOf } from '@/tests/support/invariants';
import { repeats } from '@/tests/support/soak';
import { type BookingReply, createOf, createPartner, dayAhead, makeStage, outcomeOf } from '@/tests/support/storm';
import type { Stage } from '../operations/stage';
import { OBSTACLES, SEATS } from './locks';

/** Returns a response and how long it took, in milliseconds. */
async function timed(sending: Promise<BookingReply>): Promise<{ reply: BookingReply; took: number }> {
  const startedAt = performance.now();
  const reply = await sending;
  return { reply, took: performance.now() - startedAt };
}

/**
 * Asserts that the write got a 503 because of a lock. The write must have waited for a total of five seconds, and the
 * response must arrive within eight seconds (contract B8).
 */
function expectGivenUp({ reply, took }: { reply: BookingReply; took: number }): void {
  expect(outcomeOf(reply)).toBe('503 service_unavailable');
  expect(took).toBeGreaterThan(4_900);
  expect(took).toBeLessThan(8_000);
}

export function lockTests(running: Stage): void {
  async function setUp() {
    const made = await makeStage({ services: [{ capacity: SEATS }] });
    const partner = createPartner(running.server.origin, made.keys[0] ?? '');
    // Loads the policy and the catalog, so that the time of the first measured write does not include loading them.
    await partner.slots(made.place, dayAhead(7));
    return { stage: made, partner };
  }

  describe.concurrent('while another transaction holds', () => {
    test.each(OBSTACLES)(
      '$name: 503 after 5 s without partial changes, and a retry succeeds after release',
      async ({ prepare }) => {
        const { stage, partner } = await setUp();
        const { write, sql, values } = await prepare(stage, partner);
        const before = await stateOf(stage.tenantId);
        const lock = await holdLock(running.database.url, sql, values);
        try {
          expectGivenUp(await timed(partner.send(write)));
          expect(await stateOf(stage.tenantId)).toEqual(before);
        } finally {
          await lock.release();
        }
        const again = await partner.send(write);
        expect(outcomeOf(again)).toMatch(/^20[01]$/);
        expect(again.headers['idempotent-replayed']).toBeUndefined();
        await expectIntact(stage.tenantId);
      },
    );

    test.each(OBSTACLES.slice(0, repeats(1, OBSTACLES.length)))(
      '$name, for two seconds: the write waits and succeeds',
      async ({ prepare }) => {
        const { stage, partner } = await setUp();
        const { write, sql, values } = await prepare(stage, partner);
        const lock = await holdLock(running.database.url, sql, values);
        const sending = timed(partner.send(write));
        await lock.untilWaiting(1, 2).finally(lock.release);
        const { reply, took } = await sending;
        expect(outcomeOf(reply)).toMatch(/^20[01]$/);
        expect(took).toBeGreaterThan(2_000);
        expect((await partner.send(write)).data).toEqual(reply.data);
        await expectIntact(stage.tenantId);
      },
    );
  });

  describe.concurrent('the limit of five seconds', () => {
    test('applies to all locks of a write together', async () => {
      const { stage, partner } = await setUp();
      const made = OBSTACLES.find(({ name }) => name.startsWith('the booking against a reschedule'));
      if (!made) throw new Error('the obstacle does not exist');
      const { write, sql, values } = await made.prepare(stage, partner);
      const before = await stateOf(stage.tenantId);
      const first = await holdLock(running.database.url, exclusiveTenantLock(stage.tenantId));
      const second = await holdLock(running.database.url, sql, values);
      try {
        const sending = timed(partner.send(write));
        await first.untilWaiting(1, 3).finally(first.release);
        const given = await sending;
        expectGivenUp(given);
        expect(given.took).toBeLessThan(6_500);
      } finally {
        await second.release();
      }
      expect(await stateOf(stage.tenantId)).toEqual(before);
      expect(outcomeOf(await partner.send(write))).toBe('200');
      await expectIntact(stage.tenantId);
    });

    test('applies to each of many identical requests, of which only one holds a connection', async () => {
      const { stage, partner } = await setUp();
      const write = createOf(stage.place, { date: dayAhead(7), start_time: '11:00' });
      const lock = await holdLock(running.database.url, exclusiveTenantLock(stage.tenantId));
      try {
        const sending = Array.from({ length: 20 }, () => timed(partner.send(write)));
        await lock.untilWaiting(1, 2);
        expect(await lock.waiting()).toBe(1);
        for (const given of await Promise.all(sending)) expectGivenUp(given);
      } finally {
        await lock.release();
      }
      expect(outcomeOf(await partner.send(write))).toBe('201');
      await expectIntact(stage.tenantId);
    });
  });
}
