import { expect, test } from 'vitest';
import { createCoverage } from '@/lib/platform/replica/coverage';

test('nothing is known until the replica has replayed a sample', () => {
  const coverage = createCoverage();
  expect(coverage.until()).toBe(Number.NEGATIVE_INFINITY);
  coverage.replayed(100n);
  coverage.sampled(1_000, 200n);
  coverage.replayed(199n);
  expect(coverage.until()).toBe(Number.NEGATIVE_INFINITY);
  coverage.replayed(200n);
  expect(coverage.until()).toBe(1_000);
});

test('while nobody changes anything, the replica has everything until the last sample', () => {
  const coverage = createCoverage();
  for (const at of [1_000, 2_000, 900_000]) {
    coverage.sampled(at, 200n);
    coverage.replayed(200n);
    expect(coverage.until()).toBe(at);
  }
});

test('a replica that stops replaying has only what preceded the first change that it lacks', () => {
  const coverage = createCoverage();
  coverage.sampled(1_000, 200n);
  coverage.replayed(200n);
  for (const at of [2_000, 3_000, 4_000]) coverage.sampled(at, 300n);
  coverage.replayed(250n);
  expect(coverage.until()).toBe(1_000);
  coverage.replayed(300n);
  expect(coverage.until()).toBe(4_000);
});

test('a primary whose log ends earlier than before is another one, so nothing is known', () => {
  const coverage = createCoverage();
  coverage.sampled(1_000, 500n);
  coverage.replayed(500n);
  coverage.sampled(2_000, 400n);
  expect(coverage.until()).toBe(Number.NEGATIVE_INFINITY);
  coverage.replayed(399n);
  expect(coverage.until()).toBe(Number.NEGATIVE_INFINITY);
});

test('an hour of lag is bounded in memory, and never makes the replica look newer than it is', () => {
  const coverage = createCoverage();
  for (let second = 0; second < 3_600; second += 1) coverage.sampled(second, BigInt(second));
  for (const position of [0, 1, 17, 1_800, 3_598]) {
    coverage.replayed(BigInt(position));
    expect(coverage.until()).toBeLessThanOrEqual(position);
    expect(coverage.until()).toBeGreaterThanOrEqual(Math.max(0, position - 64));
  }
});
