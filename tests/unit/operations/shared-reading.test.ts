import { expect, test } from 'vitest';
import { sharedReading } from '@/lib/operations/metrics/shared-reading';

const MINUTE = 60_000;

/**
 * Returns a shared reading and the clock that it uses. The first reading is 1, the second 2, and so on. A reading whose
 * number is in `failing` is null instead.
 */
function counted(failing: number[] = []) {
  const time = { now: Date.parse('2026-05-01T12:00:00Z') };
  let reads = 0;
  const read = async () => {
    reads += 1;
    return failing.includes(reads) ? null : reads;
  };
  return { time, read: sharedReading(read, MINUTE, () => new Date(time.now)) };
}

test('a reading is used for a minute', async () => {
  const { time, read } = counted();
  expect(await read()).toBe(1);
  time.now += MINUTE - 1;
  expect(await read()).toBe(1);
  time.now += 1;
  expect(await read()).toBe(2);
});

test('simultaneous scrapes share a reading', async () => {
  const { time, read } = counted();
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  time.now += MINUTE;
  expect(await Promise.all([read(), read()])).toEqual([2, 2]);
});

test('a failed reading is not used again, and no earlier reading replaces it', async () => {
  const { time, read } = counted([1, 3]);
  expect([await read(), await read()]).toEqual([null, 2]);
  time.now += MINUTE;
  expect([await read(), await read()]).toEqual([null, 4]);
});

test('a reading from before the clock was set back is not used', async () => {
  const { time, read } = counted();
  expect(await read()).toBe(1);
  time.now -= 24 * 60 * MINUTE;
  expect(await read()).toBe(2);
});
