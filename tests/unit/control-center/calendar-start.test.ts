import { expect, test } from 'vitest';
import { startOf } from '@/app/t/[tenant]/bookings/_components/calendar/columns';

type Shown = Parameters<typeof startOf>[0][number];

const hours = (start_minute: number, end_minute: number) => ({ start_minute, end_minute }) as Shown['opening'][number];
const column = (opening: [number, number][], blocks: [number, number][] = []): Shown => ({
  opening: opening.map(([from, to]) => hours(from, to)),
  blocks: blocks.map(([from, to]) => hours(from, to) as Shown['blocks'][number]),
});

test('the calendar opens at the first opening or booking of the columns', () => {
  expect(startOf([column([[840, 1200]]), column([[660, 1200]])], null)).toBe(660);
  expect(startOf([column([[840, 1200]], [[600, 630]])], null)).toBe(600);
  expect(startOf([column([], [[780, 810]]), column([])], null)).toBe(780);
  expect(startOf([column([])], null)).toBeNull();
  expect(startOf([column([])], 600)).toBeNull();
});

test('today, the calendar opens an hour before now, between the first opening and the last hour', () => {
  const today = [
    column(
      [[540, 1020]],
      [
        [1020, 1080],
        [480, 510],
      ],
    ),
  ];
  expect(startOf(today, 800)).toBe(740);
  expect(startOf(today, 60)).toBe(480);
  expect(startOf(today, 500)).toBe(480);
  expect(startOf(today, 1430)).toBe(1020);
});
