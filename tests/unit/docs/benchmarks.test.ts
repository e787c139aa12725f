import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIGURES } from '@/tests/bench/figures';

test('docs/benchmarks.md lists every figure with its threshold', () => {
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| .+ \| (≥|<) ([\d.,]+)(?: ms| MiB)? \|/gm)];
  const listed = rows.map(([, name, sign, bound = '']) => [name, sign, Number(bound.replace(',', ''))]);
  const expected = FIGURES.map(({ name, threshold }) =>
    'atLeast' in threshold ? [name, '≥', threshold.atLeast] : [name, '<', threshold.below],
  );
  expect(listed).toEqual(expected);
});
