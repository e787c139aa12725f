import { expect, test } from 'vitest';
import { periodOf } from '@/lib/control-center/requests/filter';

const DAY = 86_400_000;
const NOW = new Date('2026-11-22T10:00:00.000Z');
const days = (count: number) => new Date(NOW.getTime() + count * DAY);

test('a period ends now at the latest, and starts at most 31 days ago', () => {
  expect(periodOf(NOW, { from: days(-1), to: days(1) })).toEqual({ from: days(-1), to: NOW });
  expect(periodOf(NOW, { from: days(-40), to: days(-2) })).toEqual({ from: days(-31), to: days(-2) });
  expect(periodOf(NOW, '7d')).toEqual({ from: days(-7), to: NOW });
});

test('a period in the future, or before the log begins, is empty; one that ends before it starts is refused', () => {
  expect(periodOf(NOW, { from: days(1), to: days(2) })).toEqual({ from: NOW, to: NOW });
  expect(periodOf(NOW, { from: days(-50), to: days(-40) })).toEqual({ from: days(-40), to: days(-40) });
  expect(() => periodOf(NOW, { from: days(-1), to: days(-1) })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});
