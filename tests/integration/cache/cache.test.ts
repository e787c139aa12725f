import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  arePollsAnswered,
  type Cache,
  createCache,
  isFresh,
  markChanged,
  onChange,
  pollNow,
  startPolling,
  stopPolling,
  type Topic,
} from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { until } from '@/tests/support/until';

type Value = { id: string; read: number };
type Source = { cache: Cache<Value>; loads: () => number; hold: () => () => void };

let database: OwnDatabase;
const polled: string[] = [];

beforeAll(async () => {
  database = await ownDatabase();
  onChange({
    changed: (topic, id) => polled.push(`${topic} ${id}`),
    reset: () => polled.push('reset'),
  });
  startPolling();
  await fresh();
});

afterAll(async () => {
  await stopPolling();
  await database.drop();
});

async function fresh(): Promise<void> {
  await until(async () => isFresh(), Boolean);
}

/** Creates a cache that counts its loads. `hold` blocks further loads, and returns a function that unblocks them. */
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
    cache: createCache({ topic, max: 100, load, recordOf: (value) => value.id }),
    loads: () => loads,
    hold,
  };
}

/** Reads a value until the cache returns it from memory. Returns the value. */
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
  const before = polled.length;
  await markChanged(db(), topic, id);
  await pollNow();
  expect(polled.indexOf(`${topic} ${id}`, before)).toBeGreaterThanOrEqual(0);
}

test('a loaded value is served from memory', async () => {
  const source = makeSource();
  expect(await remembered(source, 'a')).toMatchObject({ id: 'a' });
});

test('a poll that is late by up to two seconds ends the use of the memory, but not the health of the connection', async () => {
  let now = 0;
  await until(async () => {
    now = performance.now();
    return isFresh();
  }, Boolean);
  const clock = vi.spyOn(performance, 'now');
  const at = (milliseconds: number) => {
    clock.mockReturnValue(now + milliseconds);
    return { fresh: isFresh(), arriving: arePollsAnswered() };
  };
  const seen = [at(0), at(1_000), at(1_999), at(3_000)];
  clock.mockRestore();
  expect(seen).toEqual([
    { fresh: true, arriving: true },
    { fresh: false, arriving: true },
    { fresh: false, arriving: true },
    { fresh: false, arriving: false },
  ]);
});

test('a change removes the entry that it concerns', async () => {
  const source = makeSource();
  const old = await remembered(source, 'a');
  await change('catalog', 'a');
  const seen = await source.cache.get('a');
  expect(seen?.read).toBeGreaterThan(old.read);
});

test('a change of another topic or record removes nothing', async () => {
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

test('a change whose transaction began before a poll and ends after it is polled', async () => {
  const before = polled.length;
  await db().$transaction(async (tx) => {
    await markChanged(tx, 'catalog', 'slow');
    await change('catalog', 'quick');
    expect(polled.indexOf('catalog slow', before)).toBe(-1);
  });
  await pollNow();
  await pollNow();
  expect(polled.slice(before).filter((one) => one === 'catalog slow')).toHaveLength(1);
  expect(polled.slice(before).filter((one) => one === 'catalog quick')).toHaveLength(1);
});

test('a change that is rolled back is not polled', async () => {
  const before = polled.length;
  const rolledBack = db().$transaction(async (tx) => {
    await markChanged(tx, 'catalog', 'never');
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await change('catalog', 'after');
  expect(polled.slice(before)).not.toContain('catalog never');
});

test('a load that began before a change is not cached', async () => {
  await fresh();
  const source = makeSource();
  const release = source.hold();
  const stale = source.cache.get('a');
  await change('catalog', 'a');
  // A call after the change must not share the load that began before the change.
  const next = source.cache.get('a');
  release();
  expect((await stale)?.read).toBe(1);
  expect((await next)?.read).toBe(2);
  expect((await source.cache.get('a'))?.read).toBeGreaterThanOrEqual(2);
});

test('concurrent calls share one load', async () => {
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

test('a lost connection clears the cache and is replaced', async () => {
  const source = makeSource();
  const old = await remembered(source, 'a');
  const before = polled.length;
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%listener' AND datname = current_database()",
  );
  await until(async () => polled.indexOf('reset', before) >= 0, Boolean);
  const seen = await source.cache.get('a');
  expect(seen?.read).toBeGreaterThan(old.read);
  await fresh();
});

test('after the polls are stopped, nothing is served from memory', async () => {
  const source = makeSource();
  await remembered(source, 'a');
  await stopPolling();
  expect(isFresh()).toBe(false);
  const before = source.loads();
  await source.cache.get('a');
  await source.cache.get('a');
  expect(source.loads()).toBe(before + 2);
  startPolling();
  await fresh();
});
