import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginWork, OVERLOADED, type Work } from '@/lib/http/overload/work';
import { pool } from '@/lib/platform/db';
import { acquireForWrite, activeWrites } from '@/lib/platform/write-connection';

process.env.DATABASE_POOL = '16';

// With these timers, a running write never counts as waiting for a lock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Begins five writes of a client at once. Returns how many of them run, and a function that ends all of them. */
async function beginFive(client: string) {
  const writes = Array.from({ length: 5 }, () => acquireForWrite({ client, waited: () => {} }));
  let begun = 0;
  for (const write of writes) void write.then(() => begun++);
  await pool().query('SELECT 1');
  return {
    begun: () => begun,
    end: async () => {
      for (const write of writes) (await write).release();
    },
  };
}

test('while writes are refused and several clients write, fewer writes run', async () => {
  const runningOf = async (client: string) => {
    const five = await beginFive(client);
    const begun = five.begun();
    await five.end();
    return begun;
  };
  expect(activeWrites()).toBe(4);
  // Opens the connections.
  await runningOf('busy');
  expect([await runningOf('busy'), await runningOf('quiet')]).toEqual([4, 4]);
  const accepted: Work[] = [];
  for (;;) {
    const work = beginWork('busy', 'POST');
    if (work === OVERLOADED) break;
    accepted.push(work as Work);
  }
  expect(await runningOf('busy')).toBe(3);
  await delay(1_000);
  const refuse = () => expect(beginWork('busy', 'POST')).toBe(OVERLOADED);
  refuse();
  expect(await runningOf('busy')).toBe(4);
  refuse();
  expect(await runningOf('quiet')).toBe(3);
  for (const { end } of accepted) end();
  await delay(1_000);
  expect(await runningOf('busy')).toBe(4);
});
