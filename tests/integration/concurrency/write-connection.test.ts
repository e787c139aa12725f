import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pool } from '@/lib/platform/db';
import { acquireForWrite, activeWrites } from '@/lib/platform/write-connection';

/** Number of milliseconds after which a write is assumed to be waiting for a lock. */
const LONGEST = 50;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('writes run on a part of the pool, and one that waits for a lock leaves its place to another', async () => {
  expect(activeWrites()).toBeLessThan(pool().options.max - 1);
  const running = await Promise.all(Array.from({ length: activeWrites() }, () => acquireForWrite()));
  const next = acquireForWrite();
  let begun = false;
  next.then(
    () => {
      begun = true;
    },
    () => {},
  );
  await pool().query('SELECT 1');
  expect(begun).toBe(false);
  vi.advanceTimersByTime(LONGEST);
  const last = await next;
  for (const { release } of [...running, last]) release();
  await pool().query('SELECT 1');
});
