import { expect, test } from 'vitest';
import { isFailing } from '@/lib/webhooks/failing';

test('an active endpoint fails if fewer than 80 % of at least five attempts succeeded', () => {
  expect(isFailing('active', 100, 68)).toBe(true);
  expect(isFailing('active', 5, 3)).toBe(true);
  expect(isFailing('active', 100, 80)).toBe(false);
  expect(isFailing('active', 4, 0)).toBe(false);
  expect(isFailing('disabled', 100, 0)).toBe(false);
});

test('an active endpoint fails if its last attempt failed', () => {
  expect(isFailing('active', 100, 99, true)).toBe(true);
  expect(isFailing('active', 0, 0, true)).toBe(true);
  expect(isFailing('paused', 100, 99, true)).toBe(false);
});
