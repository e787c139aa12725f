import { beforeAll, expect, test } from 'vitest';
import { counters } from '@/lib/activity/metrics/counters';
import { earliestTimeOf, requestIdsBetween, requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { bufferedEntries, flushLog, writeLogEntry } from '@/lib/activity/request-log/buffer';
import { mayLogRefusal } from '@/lib/activity/request-log/refusals';
import { newId } from '@/lib/platform/ids';
import { beginFile } from '../../support/fresh-process';
import { entryOf } from './entries';

beforeAll(() => {
  const none = { DATABASE_URL: 'postgresql://none@127.0.0.1:1/none', SECRET_KEY: 'x'.repeat(32) };
  beginFile({ ...none, METRICS_TOKEN: 'a-token-for-tests-only', LOG_LEVEL: 'silent' });
});

test('of the refusals of one network in a minute, 31 get a log entry', () => {
  const logged = Array.from({ length: 33 }, () => mayLogRefusal('192.0.2.7'));
  expect(logged).toEqual([...Array.from({ length: 31 }, () => true), false, false]);
  expect(mayLogRefusal('198.51.100.7')).toBe(true);
});

test('a request is found by its time if its id is up to a minute older or newer', () => {
  const id = newId('req');
  const made = earliestTimeOf(id).getTime() + 60_000;
  expect(Math.abs(made - Date.now())).toBeLessThan(10_000);
  const found = (from: number, to: number) => {
    const { first, end } = requestIdsBetween(new Date(from), new Date(to));
    return first <= id && id < end && first === requestIdsFrom(new Date(from));
  };
  expect(found(made + 59_000, made + 90_000)).toBe(true);
  expect(found(made - 90_000, made - 59_000)).toBe(true);
  expect(found(made + 61_000, made + 90_000)).toBe(false);
  expect(found(made - 90_000, made - 61_000)).toBe(false);
});

async function unwritten(): Promise<number> {
  const { values } = (await counters()?.unwrittenEntries.get()) ?? { values: [] };
  return values[0]?.value ?? 0;
}

test('while the database does not respond, the buffer keeps at most 20,000 entries', async () => {
  for (let number = 1; number <= 20_003; number += 1) writeLogEntry(entryOf(number));
  expect([bufferedEntries(), await unwritten()]).toEqual([20_000, 3]);
  await flushLog();
  expect([bufferedEntries(), await unwritten()]).toEqual([0, 20_003]);
});
