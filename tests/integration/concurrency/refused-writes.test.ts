import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginWork, OVERLOADED, type Work } from '@/lib/http/overload/work';
import { pool } from '@/lib/platform/db';
import { acquireForWrite, activeWrites } from '@/lib/platform/write-connection';

process.env.DATABASE_POOL = '16';

// With these timers, a running write never counts as waiting for a lock.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Begins five writes at once. Returns how many of them run, and a function that ends all of them. */
async function beginFive() {
  const writes = Array.from({ length: 5 }, () => acquireForWrite());
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

test('for a second after a write was refused, fewer writes run', async () => {
  expect(activeWrites()).toBe(4);
  // Opens the connections.
  await (await beginFive()).end();
  const accepted: Work[] = [];
  for (;;) {
    const work = beginWork('app_busy', { method: 'POST', waited: 0 });
    if (work === OVERLOADED) break;
    accepted.push(work as Work);
  }
  const during = await beginFive();
  expect(during.begun()).toBe(3);
  await during.end();
  for (const { end } of accepted) end();
  await delay(1_000);
  const after = await beginFive();
  expect(after.begun()).toBe(4);
  await after.end();
});
