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
    // The change of the catalog to value 3 is missing in `changes`, as if the response to this change had been lost.
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
