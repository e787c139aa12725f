import { expect, test } from 'vitest';
import { holdLock } from '@/tests/support/held-lock';
import { stateOf } from '@/tests/support/invariants';
import { createOf, createPartner, dayAhead, makeStage, outcomeOf } from '@/tests/support/storm';
import { until } from '@/tests/support/until';
import { POOL, type Stage } from '../operations/stage';

const wish = { date: dayAhead(7), start_time: '11:00' };

export function hangTests(stage: Stage): void {
  test('every write gets a 503 within 8 s, at once and later, when the database stops responding', async () => {
    const { tenantId, place, keys } = await makeStage();
    const partner = createPartner(stage.server.origin, keys[0] ?? '');
    // Each of the reads below waits for this lock on its own connection, so the server opens all connections of the pool.
    // After the lock is released, all connections are idle. Only then does the test make the database hang.
    const lock = await holdLock(stage.database.url, 'LOCK TABLE slot_claims IN ACCESS EXCLUSIVE MODE');
    const reading: ReturnType<typeof partner.slots>[] = [];
    try {
      // Each read must use its own connection. Reads that arrive together would share one query, so each read is sent
      // only after the previous one waits for the lock.
      while (reading.length < POOL) {
        reading.push(partner.slots(place, wish.date));
        await lock.untilWaiting(reading.length);
      }
    } finally {
      await lock.release();
    }
    await Promise.all(reading);
    const fiveWrites = async (start_time: string) => {
      const startedAt = performance.now();
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => partner.send(createOf(place, { ...wish, start_time }))),
      );
      return { replies, elapsed: performance.now() - startedAt };
    };
    // Measures how long the writes take without the fault. The limit below includes this time, because every write takes
    // longer on a busy machine.
    const usual = (await fiveWrites('15:00')).elapsed;
    const before = await stateOf(tenantId);
    stage.proxy.hang();
    const expectRefused = async (when: string) => {
      const { replies, elapsed } = await fiveWrites(wish.start_time);
      for (const reply of replies) expect(outcomeOf(reply), when).toBe('503 service_unavailable');
      expect(elapsed, when).toBeLessThan(8_500 + usual);
    };
    const atOnce = expectRefused('at once');
    // The cache becomes stale earlier than the server becomes unhealthy.
    await until(
      async () => (await fetch(`${stage.server.origin}/api/health`)).status,
      (status) => status === 503,
    );
    await Promise.all([atOnce, expectRefused('after the cache has become stale')]);
    expect(await stateOf(tenantId)).toEqual(before);
    stage.proxy.resume();
    await until(
      async () => (await fetch(`${stage.server.origin}/api/health`)).status,
      (status) => status === 200,
    );
  }, 60_000);
}
