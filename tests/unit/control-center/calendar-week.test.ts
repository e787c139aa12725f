import { expect, test } from 'vitest';
import { lanesOf, limitLanes, MORE_WIDTH } from '@/app/t/[tenant]/bookings/_components/calendar/lanes';
import { minutesOf, peopleOf, weekColumns } from '@/app/t/[tenant]/bookings/_components/calendar/week-columns';
import { clockText, localMinute } from '@/app/t/[tenant]/bookings/_components/display/format';
import { formatsOf } from '@/lib/platform/text/formats';
import { dayClock, zoneOf } from '@/lib/platform/time-zones';
import { translatorFor } from '@/tests/support/messages';

const ann = { id: 'ann', name: 'Ann' };
const ben = { id: 'ben', name: 'Ben' };
const hours = (start_minute: number, end_minute: number) => ({
  ...{ start_minute, end_minute },
  ...{ start_time: clockText(start_minute), end_time: clockText(end_minute) },
});
const booking = {
  ...{ reference: 'pbr_1', status: 'confirmed' as const, version: 1, movable: true, outside: null },
  ...{ external_reference: 'order-1', application_name: 'Partner' },
  ...{ price: null, change_deadline: null, has_note: false },
};
const block = (start: number, end: number, specialist = ann) => ({
  ...hours(start, end),
  date: '2026-11-30',
  specialist,
  service: { id: 'svc_1', name: 'Haircut' },
  seats: { taken: 1, capacity: 1 },
  bookings: [booking],
});
const lanes = (...blocks: ReturnType<typeof block>[]) =>
  lanesOf(blocks).map((placed) => [placed.block.start_minute, placed.lane, placed.lanes]);

test('appointments that overlap are side by side, and the others take the whole width', () => {
  expect(lanes(block(540, 570), block(570, 600))).toEqual([
    [540, 0, 1],
    [570, 0, 1],
  ]);
  // The blocks that start at 540 and 630 do not overlap each other, but both overlap the block that starts at 600.
  expect(lanes(block(600, 660), block(540, 620), block(630, 700), block(720, 750))).toEqual([
    [540, 0, 2],
    [600, 1, 2],
    [630, 0, 2],
    [720, 0, 1],
  ]);
  // A block of ten minutes is drawn taller than its duration and would cover a part of the next block.
  expect(lanes(block(540, 550), block(550, 560))).toEqual([
    [540, 0, 2],
    [550, 1, 2],
  ]);
  expect(lanes()).toEqual([]);
});

test('lanes that do not fit into a narrow column are counted instead of shown', () => {
  const cem = { id: 'cem', name: 'Cem' };
  const three = lanesOf([
    block(540, 600),
    block(540, 630, ben),
    block(570, 600, cem),
    block(600, 630),
    block(720, 750),
  ]);
  expect(limitLanes(three, 150)).toEqual({ shown: three, more: [] });
  const { shown, more } = limitLanes(three, 100 + MORE_WIDTH);
  expect(
    shown.map(({ block: { start_minute }, lane, lanes, isLimited }) => [start_minute, lane, lanes, isLimited]),
  ).toEqual([
    [540, 0, 2, true],
    [540, 1, 2, true],
    [600, 0, 2, true],
    [720, 0, 1, false],
  ]);
  expect(more).toEqual([{ start_minute: 570, end_minute: 600, count: 1 }]);
  const late = { ...block(600, 660, ben), bookings: [{ ...booking, outside: 'outside_hours' as const }] };
  expect(limitLanes(lanesOf([block(540, 700), block(550, 640, cem), late]), 40).more).toEqual([
    { start_minute: 550, end_minute: 660, count: 2, isOutside: true },
  ]);
  // One link replaces all hidden blocks that overlap. Its `count` is the number of bookings in these blocks.
  const group = { ...block(590, 620, cem), bookings: [booking, { ...booking, reference: 'pbr_2' }] };
  const one = limitLanes(lanesOf([block(540, 700), block(550, 600), group, block(640, 650)]), 40);
  expect(one.shown.map((placed) => [placed.block.start_minute, placed.lanes])).toEqual([[540, 1]]);
  expect(one.more).toEqual([
    { start_minute: 550, end_minute: 620, count: 3 },
    { start_minute: 640, end_minute: 650, count: 1 },
  ]);
});

const day = (date: string, opening = [hours(540, 1020)]) => ({
  ...{ date, midnight: '', clock: { minutes: 1440, periods: [] }, opening, cancelled: 0 },
  columns: [
    { specialist: ann, working: opening.length > 0 ? [hours(540, 780)] : [], blocked: [], blocks: [block(600, 630)] },
    { specialist: ben, working: [], blocked: [], blocks: [] },
  ],
});
const TEXTS = { t: translatorFor('en', 'bookings.schedule'), format: formatsOf('en') };
const WEEK = { days: [day('2026-11-30'), day('2026-12-06', [])] };

test('a day of the week shows all specialists or one; a closed day says so', () => {
  const subtitles = (id: string | null) => weekColumns(TEXTS, WEEK, id).map(({ subtitle }) => subtitle);
  expect(subtitles(null)).toEqual(['09:00–17:00', 'closed']);
  expect(subtitles('ann')).toEqual(['09:00–13:00', 'closed']);
  expect(subtitles('ben')).toEqual(['off', 'closed']);
  const [all] = weekColumns(TEXTS, WEEK, null);
  expect(all).toMatchObject({ key: '2026-11-30', specialist: null, blocks: [{ specialist: ann }] });
  expect(weekColumns(TEXTS, WEEK, 'ben')[0]).toMatchObject({ specialist: ben, blocks: [] });
  expect(peopleOf(WEEK)).toEqual([
    { ...ann, present: true, booked: 2 },
    { ...ben, present: false, booked: 0 },
  ]);
});

test('local times are minutes of a day', () => {
  expect([minutesOf('09:05'), clockText(545), clockText(0)]).toEqual([545, '09:05', '00:00']);
});

test.each([
  ['Europe/Berlin', '2026-11-30', ['00:00', '01:30', '02:30', '03:30']],
  ['Europe/Berlin', '2027-03-28', ['00:00', '01:30', '03:30', '04:30']],
  ['Europe/Berlin', '2026-10-25', ['00:00', '01:30', '02:30', '02:30']],
  ['Australia/Lord_Howe', '2026-10-04', ['00:00', '01:30', '03:00', '04:00']],
  ['America/Vancouver', '2027-03-14', ['00:00', '01:30', '02:30', '03:30']],
])('the clock of the server in %s on %s shows %j', (zone, date, shown) => {
  const clock = dayClock(zoneOf(zone), date);
  expect([0, 90, 150, 210].map((elapsed) => clockText(localMinute(clock, elapsed)))).toEqual(shown);
});
