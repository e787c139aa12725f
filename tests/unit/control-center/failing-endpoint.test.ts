import { expect, test } from 'vitest';
import { isFailing } from '@/lib/control-center/overview/webhooks';

test('an active endpoint fails if fewer than 80 % of at least five attempts succeeded', () => {
  expect(isFailing('active', 100, 68)).toBe(true);
  expect(isFailing('active', 5, 3)).toBe(true);
  expect(isFailing('active', 100, 80)).toBe(false);
  expect(isFailing('active', 4, 0)).toBe(false);
  expect(isFailing('disabled', 100, 0)).toBe(false);
});
