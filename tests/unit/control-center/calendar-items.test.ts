import { expect, test } from 'vitest';
import { swipeOf } from '@/app/t/[tenant]/bookings/_components/calendar/gestures';
import { type Item, itemAfter, itemsOf } from '@/app/t/[tenant]/bookings/_components/calendar/items';

const item = (column: string, minute: number): Item => ({ id: `${column} ${minute}`, column, minute });
const COLUMNS = [[item('ann', 540), item('ann', 600), item('ann', 720)], [], [item('cem', 570), item('cem', 700)]];

test('arrow keys move between the bookings of a column, and to the nearest time of the next column with bookings', () => {
  const walk = (...keys: string[]) =>
    keys.reduce((at, key) => itemAfter(COLUMNS, at, key)?.id ?? `${at} stays`, 'ann 540');
  expect(walk('ArrowDown', 'ArrowDown')).toBe('ann 720');
  expect(walk('ArrowDown', 'ArrowUp')).toBe('ann 540');
  expect(walk('End', 'ArrowRight')).toBe('cem 700');
  expect(walk('ArrowRight', 'ArrowDown', 'ArrowLeft', 'Home')).toBe('ann 540');
  expect(walk('ArrowRight')).toBe('cem 570');
  for (const key of ['ArrowUp', 'ArrowLeft', 'm', 'Tab']) expect(itemAfter(COLUMNS, 'ann 540', key)).toBeNull();
  expect(itemAfter(COLUMNS, 'cem 700', 'ArrowRight')).toBeNull();
  expect(itemAfter(COLUMNS, 'unknown', 'ArrowDown')).toBeNull();
  expect(itemsOf('ann', { shown: [], more: [{ start_minute: 600, end_minute: 630, count: 2 }] })).toEqual([
    { id: 'ann more 600', column: 'ann', minute: 600 },
  ]);
});

test('a swipe is horizontal, long, and quick', () => {
  const swipe = (x: number, y: number, time = 200) =>
    swipeOf({ x: 100, y: 100, time: 0 }, { x: 100 + x, y: 100 + y, time });
  expect(swipe(-80, 20)).toBe('next');
  expect(swipe(80, -20)).toBe('previous');
  for (const none of [swipe(-40, 0), swipe(-80, 60), swipe(0, 300), swipe(-80, 0, 2_000)]) expect(none).toBeNull();
});
