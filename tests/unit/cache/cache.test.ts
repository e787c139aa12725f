import { expect, test } from 'vitest';
import { createCache, isFresh } from '@/lib/platform/cache';

test('without a listener nothing is served from memory and loads are not shared', async () => {
  let loads = 0;
  const cache = createCache<{ load: number }>({
    topic: 'catalog',
    max: 10,
    load: async () => {
      loads += 1;
      return { load: loads };
    },
    recordOf: () => 'a',
  });
  expect(isFresh()).toBe(false);
  const seen = [await cache.get('a'), await cache.get('a'), ...(await Promise.all([cache.get('a'), cache.get('a')]))];
  expect(seen.map((value) => value?.load)).toEqual([1, 2, 3, 4]);
});

test('a missing value is null, and a failed load rejects', async () => {
  const options = { topic: 'policy', max: 10, recordOf: () => 'a' } as const;
  expect(await createCache({ ...options, load: async () => null }).get('a')).toBeNull();
  const broken = createCache({ ...options, load: () => Promise.reject(new Error('the database is unavailable')) });
  await expect(broken.get('a')).rejects.toThrow('unavailable');
});
