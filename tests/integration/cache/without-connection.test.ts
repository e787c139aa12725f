import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCache, markChanged, startPolling, stopPolling } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { changeSettings } from '@/tests/support/fresh-process';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
  // No server listens on this port, so the dedicated connection cannot be opened.
  changeSettings({ DIRECT_DATABASE_URL: 'postgresql://localhost:1/none' });
  vi.useFakeTimers({ toFake: ['performance'] });
  startPolling();
});

afterAll(async () => {
  vi.useRealTimers();
  await stopPolling();
  await database.drop();
});

/** Advances the clock that says how old a poll is. After a second, no result of a poll may be trusted. */
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);

/** Returns a cache, and a function that returns how often the cache has loaded a value. */
function makeSource() {
  let loads = 0;
  const load = async (id: string) => {
    loads += 1;
    return { id, read: loads };
  };
  const cache = createCache({ topic: 'catalog', max: 10, load, recordOf: ({ id }) => id });
  return { cache, loads: () => loads };
}

test('without the connection that polls, reads poll on the pool, and an unchanged record is loaded once', async () => {
  const { cache, loads } = makeSource();
  await Promise.all(Array.from({ length: 20 }, () => cache.get('unchanged')));
  pass(1_000);
  await Promise.all(Array.from({ length: 20 }, () => cache.get('unchanged')));
  expect(loads()).toBe(1);
});

test('a change is visible a second after its commit, and a change of another record loads nothing', async () => {
  const { cache, loads } = makeSource();
  await cache.get('changed');
  await markChanged(db(), 'catalog', 'other');
  await markChanged(db(), 'policy', 'changed');
  pass(1_000);
  expect(await cache.get('changed')).toMatchObject({ read: 1 });
  await markChanged(db(), 'catalog', 'changed');
  pass(999);
  expect(await cache.get('changed')).toMatchObject({ read: 1 });
  pass(1);
  expect(await cache.get('changed')).toMatchObject({ read: 2 });
  expect(loads()).toBe(2);
});

test('a change that is rolled back loads nothing', async () => {
  const { cache, loads } = makeSource();
  await cache.get('rolled-back');
  const rolledBack = db().$transaction(async (tx) => {
    await markChanged(tx, 'catalog', 'rolled-back');
    pass(1_000);
    await cache.get('rolled-back');
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  pass(1_000);
  await cache.get('rolled-back');
  expect(loads()).toBe(1);
});

test('while nothing can be polled, nothing is served', async () => {
  const { cache } = makeSource();
  await cache.get('unavailable');
  await database.shut();
  pass(1_000);
  await expect(cache.get('unavailable')).rejects.toThrow();
  await database.open();
  expect(await cache.get('unavailable')).toMatchObject({ read: 1 });
});
