import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCache } from '@/lib/platform/cache/cache';
import { isFresh, notifyChange, startListener, stopListener } from '@/lib/platform/cache/listener';
import { db } from '@/lib/platform/db';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
  // No server listens on this port, so no notification can arrive.
  process.env.DIRECT_DATABASE_URL = 'postgresql://localhost:1/none';
  startListener();
});

afterAll(async () => {
  await stopListener();
  await database.drop();
});

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

test.concurrent('without a listening connection, an unchanged record is loaded at most twice', async () => {
  const { cache, loads } = makeSource();
  await Promise.all(Array.from({ length: 20 }, () => cache.get('unchanged')));
  expect(loads()).toBe(1);
  // The first load caches the value without its version. The next call cannot compare versions, so it loads again.
  for (let i = 0; i < 20; i += 1) await cache.get('unchanged');
  await Promise.all(Array.from({ length: 20 }, () => cache.get('unchanged')));
  await delay(1_000);
  await Promise.all(Array.from({ length: 20 }, () => cache.get('unchanged')));
  expect(loads()).toBe(2);
  expect(isFresh()).toBe(false);
});

test.concurrent('a change is visible a second after its commit, and a change of another record loads nothing', async () => {
  const { cache, loads } = makeSource();
  for (let i = 0; i < 3; i += 1) await cache.get('changed');
  await notifyChange(db(), 'catalog', 'other');
  await notifyChange(db(), 'policy', 'changed');
  await delay(1_000);
  expect(await cache.get('changed')).toMatchObject({ read: 2 });
  await notifyChange(db(), 'catalog', 'changed');
  await delay(1_000);
  expect(await cache.get('changed')).toMatchObject({ read: 3 });
  expect(loads()).toBe(3);
});

test.concurrent('a change that is rolled back keeps the version', async () => {
  const { cache, loads } = makeSource();
  for (let i = 0; i < 3; i += 1) await cache.get('rolled-back');
  const rolledBack = db().$transaction(async (tx) => {
    await notifyChange(tx, 'catalog', 'rolled-back');
    // Before the commit, other transactions see only the old version in the database. The cache must therefore not load
    // the record again.
    await delay(1_000);
    await cache.get('rolled-back');
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  expect(loads()).toBe(2);
});

test('while versions cannot be read, nothing is served', async () => {
  const { cache } = makeSource();
  for (let i = 0; i < 3; i += 1) await cache.get('unavailable');
  await database.shut();
  await delay(1_000);
  await expect(cache.get('unavailable')).rejects.toThrow();
  await database.open();
  expect(await cache.get('unavailable')).toMatchObject({ read: 2 });
});
