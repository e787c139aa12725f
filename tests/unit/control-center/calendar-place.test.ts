import { expect, test } from 'vitest';
import {
  HOUR,
  placeAt,
  reachOf,
  type Stops,
  snap,
  stopsOf,
  topOf,
} from '@/app/t/[tenant]/bookings/_components/calendar/place';
import { refusalText } from '@/app/t/[tenant]/bookings/_components/calendar/refusal';
import { translatorFor } from '@/tests/support/messages';

const AXIS = { from_minute: 480, to_minute: 1080 };
const DATE = '2026-12-01';

const slot = (minute: number, specialists: string[], date = DATE) => ({
  date,
  start_time: `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  end_time: '',
  starts_at: '',
  ends_at: '',
  time_zone: 'Europe/Berlin',
  service_id: 'svc_1',
  location_id: 'loc_1',
  available_capacity: 1,
  specialist_ids: specialists,
});
const minuteOf = ({ start_time }: { start_time: string }) => {
  const [hours = 0, minutes = 0] = start_time.split(':').map(Number);
  return hours * 60 + minutes;
};
const COLUMNS = ['ann', 'ben', 'cem'].map((id) => ({ key: id, date: DATE, specialist: { id, name: id } }));

/** On `DATE`, Ann is free at 10:00 and 10:30, Ben is never free, and Cem is free at 10:30 and 12:00. */
function makeStops(): Stops {
  const slots = [slot(600, ['ann']), slot(630, ['ann', 'cem']), slot(720, ['cem']), slot(600, ['ann'], '2026-12-02')];
  return stopsOf(slots, COLUMNS, 'ann', minuteOf);
}

const place = (column: string, minute: number) => ({ column, minute });

test('a pixel of the calendar is a place in the nearest column, rounded to five minutes and within the axis', () => {
  const rects = [
    { column: 'ann', left: 100, right: 200, top: 50 },
    { column: 'ben', left: 200, right: 300, top: 50 },
  ];
  expect(topOf(540, AXIS)).toBe(HOUR);
  expect(placeAt(150, 50 + topOf(602, AXIS), rects, AXIS)).toEqual(place('ann', 600));
  expect(placeAt(999, 50 + topOf(603, AXIS), rects, AXIS)).toEqual(place('ben', 605));
  expect(placeAt(0, -500, rects, AXIS)).toEqual(place('ann', 480));
  expect(placeAt(250, 5_000, rects, AXIS)).toEqual(place('ben', 1075));
  expect(placeAt(250, 50, [], AXIS)).toBeNull();
});

test('a column has the slots of its date and specialist; a column of all specialists has those of the booking', () => {
  const minutes = (stops: Stops) => [...stops].map(([column, found]) => [column, found.map(({ minute }) => minute)]);
  expect(minutes(makeStops())).toEqual([
    ['ann', [600, 630]],
    ['ben', []],
    ['cem', [630, 720]],
  ]);
  const days = [DATE, '2026-12-02'].map((date) => ({ key: date, date, specialist: null }));
  const slots = [slot(600, ['ann']), slot(630, ['cem']), slot(660, ['ann'], '2026-12-02')];
  expect(minutes(stopsOf(slots, days, 'ann', minuteOf))).toEqual([
    [DATE, [600]],
    ['2026-12-02', [660]],
  ]);
});

test('a place snaps to the nearest offered start or to the origin, and to nothing else', () => {
  const stops = makeStops();
  const origin = place('ann', 540);
  expect(reachOf(stops)).toBe(15);
  expect(snap(stops, place('ann', 610), origin)).toMatchObject(place('ann', 600));
  expect(snap(stops, place('ann', 620), origin)).toMatchObject(place('ann', 630));
  expect(snap(stops, place('ann', 645), origin)).toMatchObject(place('ann', 630));
  expect(snap(stops, place('ann', 550), origin)).toEqual(origin);
  for (const refused of [place('ann', 650), place('ben', 600), place('cem', 540)])
    expect(snap(stops, refused, origin)).toBeNull();
  expect(reachOf(new Map())).toBe(30);
});

test('a refusal outside the schedule says whether the location is closed, the specialist is off, or the start differs', () => {
  const hours = (start_minute: number, end_minute: number) => [
    { start_minute, end_minute, start_time: '', end_time: '' },
  ];
  const ann = { id: 'ann', name: 'Ann' };
  const block = {
    ...{ date: DATE, start_minute: 600, end_minute: 630, start_time: '10:00', end_time: '10:30', bookings: [] },
    ...{ service: { id: 'svc_1', name: 'Haircut' }, seats: { taken: 1, capacity: 1 }, specialist: ann },
  };
  const texts = { key: 'ann', date: DATE, title: '', subtitle: '', label: '', blocked: [], blocks: [] };
  const column = { ...texts, specialist: ann, opening: hours(540, 1020), working: hours(540, 780) };
  const t = translatorFor('en', 'bookings.refusal');
  const why = (minute: number, reason = 'outside_schedule', more = {}) =>
    refusalText(t, reason, { column: { ...column, ...more }, block, minute, location: 'Studio' });
  expect(why(1000)).toBe('Studio is closed at that time.');
  expect(why(600, 'outside_schedule', { opening: [], working: [] })).toBe('Studio is closed at that time.');
  expect(why(780)).toBe('Ann does not work at that time.');
  const part = { ...hours(540, 600)[0], block: {} };
  expect(why(590, 'outside_schedule', { blocked: [part] })).toBe('This time is blocked.');
  expect(why(605)).toBe('Haircut cannot be booked with that start time.');
  expect(why(600, 'slot_taken')).toBe('Ann has another booking at that time.');
});
