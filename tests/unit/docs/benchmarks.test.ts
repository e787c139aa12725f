import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIGURES } from '@/tests/bench/figures';
import { quantile } from '@/tests/bench/numbers';

test('docs/benchmarks.md lists every figure with its floor', () => {
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (≥|<) ([\d.]+)(?: ms| MiB)? \|/gm)];
  const listed = rows.map(([, name, sign, bound = '']) => [name, sign, Number(bound)]);
  const expected = FIGURES.map(({ name, threshold }) =>
    'atLeast' in threshold ? [name, '≥', threshold.atLeast] : [name, '<', threshold.below],
  );
  expect(listed).toEqual(expected);
});

test('a quantile is the value at the nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, n) => n + 1);
  expect([0.5, 0.95, 0.99, 1].map((share) => quantile(values, share))).toEqual([50, 95, 99, 100]);
  expect([0.07, 0.001].map((share) => quantile(values, share))).toEqual([7, 1]);
  expect([quantile([3, 4, 5], 0.5), quantile([], 0.5)]).toEqual([4, 0]);
});
