import { describe, expect, test } from 'vitest';
import { intersectIntervals } from '@/lib/booking/availability/intervals';
import { LOCATIONS, type LocationKey } from '@/lib/operations/sandbox/seed/locations';
import { dateOf, localTimeOf } from '@/lib/operations/sandbox/seed/relative-days';
import { catalogRows } from '@/lib/operations/sandbox/seed/rows';
import { SERVICE_GROUPS } from '@/lib/operations/sandbox/seed/services/all';
import { SPECIALISTS } from '@/lib/operations/sandbox/seed/specialists/all';
import type { LocationSeed, ServiceGroup } from '@/lib/operations/sandbox/seed/types';
import { bookableWeekdays, inMinutes } from './week';

const NOW = new Date('2026-03-04T10:00:00Z');
const DAY_MS = 86_400_000;
const rows = catalogRows(NOW);
const groups: readonly ServiceGroup[] = SERVICE_GROUPS;
const services = groups.flatMap((group) => group.services);
const publishedServices = services.filter((service) => service.published !== false);

function location(key: LocationKey): LocationSeed {
  const found = LOCATIONS.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no location ${key}`);
  return found;
}

/** All published offerings, with the weekdays on which they can be booked. */
const offered = SPECIALISTS.filter((specialist) => specialist.published !== false).flatMap((specialist) =>
  specialist.workplaces
    .filter((place) => location(place.location).published)
    .flatMap((place) =>
      publishedServices
        .filter((service) => place.services.some((key) => key === service.key))
        .map((service) => ({
          key: service.key,
          where: `${specialist.displayName}, ${place.location}`,
          days: bookableWeekdays(location(place.location).hours, place.hours, specialist.breaks, service),
        })),
    ),
);

test.each(publishedServices.map(({ key }) => key))('%s can be booked on most days of the week', (key) => {
  const days = offered.filter((offering) => offering.key === key).flatMap((offering) => [...offering.days]);
  expect(new Set(days).size).toBeGreaterThanOrEqual(4);
});

test('every offering fits on at least one weekday', () => {
  expect(offered.filter(({ days }) => days.size === 0)).toEqual([]);
});

test('times are written HH:MM and weekdays are 1 to 7', () => {
  const weekly = [...rows.locationHours, ...rows.specialistHours, ...rows.specialistBreaks];
  for (const { weekday } of weekly) expect([1, 2, 3, 4, 5, 6, 7]).toContain(weekday);
  const dated = [...rows.locationExceptions, ...rows.specialistExceptions].flatMap(
    ({ hours }) => hours as { opens: string; closes: string }[],
  );
  const times = SPECIALISTS.flatMap(({ timeOff }) => timeOff.flatMap(({ from, to }) => [from.time, to.time]));
  const all = [...[...weekly, ...dated].flatMap(({ opens, closes }) => [opens, closes]), ...times];
  expect(all.filter((time) => !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))).toEqual([]);
});

test('no specialist works at two locations at the same time', () => {
  for (const { displayName, workplaces } of SPECIALISTS) {
    const [first, second, ...more] = workplaces.map(({ hours }) => inMinutes(hours));
    expect(more, displayName).toEqual([]);
    if (first && second) expect(intersectIntervals(first, second), displayName).toEqual([]);
  }
});

test('some specialists work at two locations, on one weekday or on different ones, and one works past midnight', () => {
  const shared = SPECIALISTS.filter(({ workplaces }) => workplaces.length === 2).map(({ workplaces }) => {
    const [first, second] = workplaces.map(({ hours }) => new Set(hours.map(({ weekday }) => weekday)));
    return [...(first ?? [])].some((weekday) => second?.has(weekday));
  });
  expect(new Set(shared)).toEqual(new Set([true, false]));
  expect(rows.specialistHours.some(({ opens, closes }) => closes < opens)).toBe(true);
  expect(rows.locationHours.some(({ opens, closes }) => closes < opens)).toBe(true);
});

test('rows are unique by their primary keys', () => {
  const keys = [
    rows.offerings.map((o) => [o.specialistId, o.serviceId, o.locationId]),
    rows.locationHours.map((h) => [h.locationId, h.weekday, h.opens]),
    rows.locationExceptions.map((e) => [e.locationId, e.date]),
    rows.specialistHours.map((h) => [h.specialistId, h.locationId, h.weekday, h.opens]),
    rows.specialistBreaks.map((b) => [b.specialistId, b.weekday, b.opens]),
    rows.specialistExceptions.map((e) => [e.specialistId, e.locationId, e.date]),
    rows.specialistTimeOff.map((t) => [t.specialistId, t.startsAt]),
  ];
  for (const table of keys) expect(new Set(table.map((key) => JSON.stringify(key))).size).toBe(table.length);
});

describe.each([
  ['a Monday at midnight', '2026-03-02T00:00:00Z'],
  ['a Wednesday', '2026-03-04T10:00:00Z'],
  ['the last second of a Sunday', '2026-03-08T23:59:59Z'],
])('seeded on %s', (_, timestamp) => {
  const now = new Date(timestamp);
  const seeded = catalogRows(now);

  test('every exception and time off is within the next ten weeks', () => {
    const dates = [...seeded.locationExceptions, ...seeded.specialistExceptions].map(({ date }) => new Date(date));
    for (const date of [...dates, ...seeded.specialistTimeOff.map(({ startsAt }) => new Date(startsAt))]) {
      expect(date.getTime()).toBeGreaterThan(now.getTime());
      expect(date.getTime()).toBeLessThan(now.getTime() + 70 * DAY_MS);
    }
    for (const { startsAt, endsAt } of seeded.specialistTimeOff) {
      expect(new Date(endsAt).getTime()).toBeGreaterThan(new Date(startsAt).getTime());
    }
  });

  test('equal timestamps give equal rows', () => {
    expect(catalogRows(new Date(timestamp))).toEqual(seeded);
  });
});

test('a relative day has its weekday, and a local time is stored as if it were UTC', () => {
  expect(dateOf({ week: 1, weekday: 1 }, NOW).toISOString()).toBe('2026-03-09T00:00:00.000Z');
  expect(dateOf({ week: 2, weekday: 7 }, NOW).toISOString()).toBe('2026-03-22T00:00:00.000Z');
  expect(localTimeOf({ week: 1, weekday: 3, time: '14:30' }, NOW).toISOString()).toBe('2026-03-11T14:30:00.000Z');
});

test('every exception has an effect: its location or specialist has hours on that weekday', () => {
  const weekdayOf = (date: Date | string) => ((new Date(date).getUTCDay() + 6) % 7) + 1;
  for (const { locationId, date } of rows.locationExceptions) {
    const hours = rows.locationHours.filter((h) => h.locationId === locationId && h.weekday === weekdayOf(date));
    expect(hours.length, `${locationId} ${date}`).toBeGreaterThan(0);
  }
  for (const { specialistId, locationId, date } of rows.specialistExceptions) {
    const ownHours = rows.specialistHours.filter((h) => h.specialistId === specialistId && h.locationId === locationId);
    expect(
      ownHours.some((h) => h.weekday === weekdayOf(date)),
      `${specialistId} ${date}`,
    ).toBe(true);
  }
});
