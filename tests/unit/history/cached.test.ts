import { expect, test } from 'vitest';
import { type CachedHistory, staleReadsOf } from '@/tests/support/history/cached';

const changes: CachedHistory['changes'] = [
  { record: 'catalog', value: 1, ended: 100 },
  { record: 'policy', value: 1, ended: 100 },
  { record: 'catalog', value: 2, ended: 500 },
];
const read = (record: 'catalog' | 'policy', value: number, begun: number) => ({ record, value, begun });

test('a read without a change of the last second is not stale', () => {
  const reads = [
    read('catalog', 0, 1_100),
    read('catalog', 1, 1_500),
    read('catalog', 2, 1_501),
    // This read returned the value 3, but `changes` has no change of the catalog to 3, as if the response to that
    // change had been lost.
    read('catalog', 3, 9_000),
    read('policy', 1, 9_000),
  ];
  expect(staleReadsOf({ changes, reads })).toEqual([]);
});

test.each([
  ['a catalog without a change of more than a second before', read('catalog', 1, 1_501)],
  ['a catalog without any change', read('catalog', 0, 1_101)],
  ['a policy without a change of more than a second before', read('policy', 0, 1_101)],
])('%s is found', (_, stale) => {
  expect(staleReadsOf({ changes, reads: [read('catalog', 2, 5_000), stale] })).toEqual([stale]);
});
