import { expect, test } from 'vitest';
import { shadesOf } from '@/app/t/[tenant]/bookings/_components/calendar/columns';

const AXIS = { from_minute: 480, to_minute: 1080 };
const span = (start_minute: number, end_minute: number) => ({ start_minute, end_minute });

test('shades the time outside the opening hours, and the time in them in which the specialist does not work', () => {
  const shades = shadesOf(AXIS, [span(540, 1020)], [span(540, 780), span(810, 900)]);
  expect(shades).toEqual([
    { kind: 'closed', from: 480, to: 540 },
    { kind: 'off', from: 780, to: 810 },
    { kind: 'off', from: 900, to: 1020 },
    { kind: 'closed', from: 1020, to: 1080 },
  ]);
});

test('shades a closed day as a whole, and nothing of a day that is worked through', () => {
  expect(shadesOf(AXIS, [], [])).toEqual([{ kind: 'closed', from: 480, to: 1080 }]);
  expect(shadesOf(AXIS, [span(480, 1080)], [span(480, 1080)])).toEqual([]);
});
