import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cache, createCache } from '@/lib/platform/cache/cache';
import {
  isFresh,
  notifyChange,
  onInvalidation,
  startListener,
  stopListener,
  type Topic,
} from '@/lib/platform/cache/listener';
import { db } from '@/lib/platform/db';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { until } from '@/tests/support/until';

type Value = { id: string; read: number };
type Source = { cache: Cache<Value>; loads: () => number; hold: () => () => void };

let database: OwnDatabase;
const heard: string[] = [];

beforeAll(async () => {
  database = await ownDatabase();
  onInvalidation(
    (topic, id) => heard.push(`${topic} ${id}`),
    () => heard.push('reset'),
  );
  startListener();
  await fresh();
});

afterAll(async () => {
  await stopListener();
  await database.drop();
});

async function fresh(): Promise<void> {
  await until(async () => isFresh(), Boolean);
}

/** Makes a cache that counts what it reads; `hold` lets reads wait until it is undone. */
function makeSource(topic: Topic = 'catalog'): Source {
  let loads = 0;
  let gate: Promise<void> = Promise.resolve();
  const load = async (id: string) => {
    loads += 1;
    const read = loads;
    await gate;
    return { id, read };
  };
  const hold = () => {
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return {
    cache: createCache({ topic, max: 100, load, concerns: (value, id) => value.id === id }),
    loads: () => loads,
    hold,
  };
}

/** Reads until what comes is in memory, and returns it. */
async function remembered({ cache, loads }: Source, id: string): Promise<Value> {
  let value: Value | null = null;
  await until(async () => {
    value = await cache.get(id);
    const before = loads();
    return isFresh() && (await cache.get(id)) === value && loads() === before;
  }, Boolean);
  if (!value) throw new Error('nothing was read');
  return value;
}

async function change(topic: Topic, id: string): Promise<void> {
  const before = heard.length;
  await notifyChange(db(), topic, id);
  await until(async () => heard.indexOf(`${topic} ${id}`, before) >= 0, Boolean);
}

test('what was read once is served from memory', async () => {
  const source = makeSource();
  expect(await remembered(source, 'a')).toMatchObject({ id: 'a' });
});

test('a change drops the copy it concerns', async () => {
  const source = makeSource();
  const old = await remembered(source, 'a');
  await change('catalog', 'a');
  const seen = await source.cache.get('a');
  expect(seen?.read).toBeGreaterThan(old.read);
});

test('a change of another topic or another record drops nothing', async () => {
  const source = makeSource();
  let kept = false;
  await until(async () => {
    const copy = await remembered(source, 'a');
    await change('policy', 'a');
    await change('catalog', 'b');
    kept = (await source.cache.get('a')) === copy;
    return kept;
  }, Boolean);
  expect(kept).toBe(true);
});

test('a change in a transaction that is rolled back is not told', async () => {
  const before = heard.length;
  const rolledBack = db().$transaction(async (tx) => {
    await notifyChange(tx, 'catalog', 'never');
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await change('catalog', 'after');
  expect(heard.slice(before)).not.toContain('catalog never');
});

test('a fill that began before a change is thrown away', async () => {
  await fresh();
  const source = makeSource();
  const release = source.hold();
  const stale = source.cache.get('a');
  await change('catalog', 'a');
  // Whoever asks after the change does not get the reading from before it.
  const next = source.cache.get('a');
  release();
  expect((await stale)?.read).toBe(1);
  expect((await next)?.read).toBe(2);
  expect((await source.cache.get('a'))?.read).toBeGreaterThanOrEqual(2);
});

test('those who ask at once share one reading', async () => {
  await until(
    async () => {
      await fresh();
      const source = makeSource();
      const release = source.hold();
      const asked = Array.from({ length: 20 }, () => source.cache.get('a'));
      release();
      await Promise.all(asked);
      return source.loads();
    },
    (loads) => loads === 1,
  );
});

test('a lost connection empties the memory, and a new one is made', async () => {
  const source = makeSource();
  const old = await remembered(source, 'a');
  const before = heard.length;
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%listener' AND datname = current_database()",
  );
  await until(async () => heard.indexOf('reset', before) >= 0, Boolean);
  const seen = await source.cache.get('a');
  expect(seen?.read).toBeGreaterThan(old.read);
  await fresh();
});

test('a stopped listener leaves nothing to be served from memory', async () => {
  const source = makeSource();
  await remembered(source, 'a');
  await stopListener();
  expect(isFresh()).toBe(false);
  const before = source.loads();
  await source.cache.get('a');
  await source.cache.get('a');
  expect(source.loads()).toBe(before + 2);
  startListener();
  await fresh();
});
