import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { readSlotsInTurn } from '@/lib/booking/read-turns';
import { beginFile } from '../../support/fresh-process';

/** The sizes, in specialist days, of the largest small read, and of the smallest and largest medium reads. */
const SMALL = 25;
const MEDIUM = [26, 100] as const;
const WIDE = 101;

const REQUIRED = { DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) };

beforeEach(() => beginFile({ ...REQUIRED, DATABASE_POOL: '16' }));

/** Returns an application. Its tenant is the part of its name before the slash, or its own one. */
function readerOf(name: string) {
  return { tenantId: name.split('/')[0] ?? '', applicationId: name };
}

/**
 * Starts reads that run until `finish` is called. `begun` lists all reads in the order in which they began to run.
 * `names` returns those that run now.
 */
function startReads() {
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  const start = (name: string, application: string, days: number) =>
    readSlotsInTurn(readerOf(application), days, () => {
      begun.push(name);
      return new Promise<void>((resolve) => running.set(name, resolve));
    });
  const finish = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await nextTurn();
  };
  const names = () => [...running.keys()].sort();
  const finishAll = async () => {
    for (let [name] = names(); name; [name] = names()) await finish(name);
  };
  return { begun, start, finish, finishAll, names };
}

test('one wide read of each application runs at a time, and smaller reads do not wait', async () => {
  const { begun, start, finish, finishAll, names } = startReads();
  const reads = ['a1', 'a2', 'a3'].map((name) => start(name, 'a', WIDE));
  reads.push(start('b1', 'b', WIDE), start('b2', 'b', WIDE), start('c1', 'c', WIDE));
  reads.push(start('medium', 'a', MEDIUM[1]), start('small', 'a', SMALL));
  await nextTurn();
  expect(names()).toEqual(['a1', 'b1', 'c1', 'medium', 'small']);
  await finish('medium');
  await finish('small');
  await finishAll();
  expect(begun).toEqual(['small', 'a1', 'b1', 'c1', 'medium', 'a2', 'a3', 'b2']);
  await Promise.all(reads);
});

test('four medium reads of an application run at a time, and those of another application beside them', async () => {
  const { begun, start, finishAll, names } = startReads();
  const reads = [1, 2, 3, 4, 5, 6].map((name) => start(`a${name}`, 'a', MEDIUM[name % 2] ?? 0));
  reads.push(start('b1', 'b', MEDIUM[1]), start('b2', 'b', MEDIUM[1]));
  const small = Array.from({ length: 20 }, () => readSlotsInTurn(readerOf('a'), SMALL, () => Promise.resolve('read')));
  expect(new Set(await Promise.all(small))).toEqual(new Set(['read']));
  expect(names()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  await finishAll();
  expect(begun).toHaveLength(8);
  await Promise.all(reads);
});

test('a read that fails ends its turn', async () => {
  const failed = readSlotsInTurn(readerOf('a'), WIDE, () => Promise.reject(new Error('no connection')));
  const next = readSlotsInTurn(readerOf('a'), WIDE, () => Promise.resolve('read'));
  await expect(failed).rejects.toThrow('no connection');
  expect(await next).toBe('read');
});

test('wide reads of all applications together use at most a quarter of the pool', async () => {
  const { start, finishAll, names } = startReads();
  const reads = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => start(name, name, WIDE));
  await nextTurn();
  expect(names()).toEqual(['a', 'b', 'c', 'd']);
  await finishAll();
  await Promise.all(reads);
});

test('a tenant with many applications does not delay the reads of another tenant', async () => {
  const { begun, start, finish, finishAll } = startReads();
  const reads = Array.from({ length: 12 }, (_, index) => start(`busy/${index}`, `busy/${index}`, WIDE));
  reads.push(start('quiet', 'quiet', WIDE));
  await nextTurn();
  await finish('busy/0');
  expect(begun).toEqual(['busy/0', 'busy/1', 'busy/2', 'busy/3', 'busy/4']);
  await finish('busy/1');
  expect(begun.at(-1)).toBe('quiet');
  await finishAll();
  await Promise.all(reads);
});
