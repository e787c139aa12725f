import { describe, expect, test } from 'vitest';
import { intersectIntervals } from '@/lib/booking/availability/input';
import { sandboxCatalog } from '@/lib/operations/sandbox/seed/catalog';
import { offsetAt, zoneOf } from '@/lib/platform/time-zones';
import { bookableWeekdays, inMinutes } from './week';

const DAY_MS = 86_400_000;
const { locations, services, specialists } = sandboxCatalog(new Date('2026-03-04T10:00:00Z'));
const published = services.filter((service) => service.published);
const open = new Map(locations.filter((location) => location.published).map((location) => [location.id, location]));

/** All published offerings, with the weekdays on which they can be booked. */
const offered = specialists
  .filter((specialist) => specialist.published)
  .flatMap(({ workplaces, breaks }) =>
    workplaces.flatMap(({ location_id, service_ids, hours }) =>
      published
        .filter(({ id }) => open.has(location_id) && service_ids.includes(id))
        .map((service) => ({
          id: service.id,
          location_id,
          days: bookableWeekdays(open.get(location_id)?.hours ?? [], hours, breaks, service),
        })),
    ),
  );

test('the number of services of each kind is as documented', () => {
  expect(published.length).toBeGreaterThanOrEqual(60);
  expect(services.length - published.length).toBeGreaterThanOrEqual(3);
  expect(published.filter(({ capacity }) => capacity >= 6 && capacity <= 12).length).toBeGreaterThanOrEqual(4);
  expect(published.filter((s) => s.buffer_before_minutes || s.buffer_after_minutes).length).toBeGreaterThanOrEqual(10);
  expect(new Set(published.map((s) => s.slot_interval_minutes))).toEqual(new Set([5, 10, 15, 20, 30, 60]));
  expect(published.some((s) => s.price === null)).toBe(true);
  expect(new Set(published.flatMap(({ price }) => price?.currency ?? []))).toEqual(
    new Set(['EUR', 'USD', 'INR', 'AUD']),
  );
});

test('the settings of services are within the documented ranges', () => {
  for (const service of services) {
    expect(service.duration_minutes).toBeGreaterThanOrEqual(15);
    expect(service.duration_minutes).toBeLessThanOrEqual(120);
    expect(service.min_lead_minutes).toBeLessThanOrEqual(24 * 60);
    expect(service.cancellation_cutoff_minutes).toBeLessThanOrEqual(24 * 60);
    expect(service.max_advance_days).toBeGreaterThanOrEqual(30);
    expect(service.max_advance_days).toBeLessThanOrEqual(180);
    expect(service.price?.amount).not.toBe(0);
  }
});

test('every text exists in all three languages, and names of services are unique in each', () => {
  const texts = [
    ...locations.map(({ name }) => name),
    ...services.flatMap(({ name, description, category }) => [name, description, category]),
    ...specialists.flatMap(({ title, description }) => [title, description]),
  ];
  for (const text of texts) if (text !== null) expect(Object.keys(text).sort()).toEqual(['de', 'en', 'fr']);
  for (const locale of ['en', 'de', 'fr'])
    expect(new Set(services.map(({ name }) => name[locale])).size).toBe(services.length);
});

test('published locations are in time zones on both sides of UTC with different daylight-saving rules', () => {
  const zones = [...new Set([...open.values()].map((location) => location.time_zone))];
  expect(zones.length).toBeGreaterThanOrEqual(3);
  expect(open.size).toBeLessThan(locations.length);
  const start = Date.UTC(2026, 0, 1) / 60_000;
  const offsets = zones.map((name) =>
    Array.from({ length: 365 }, (_, day) => offsetAt(zoneOf(name), start + day * 1440)),
  );
  expect(offsets.some((year) => year.every((offset) => offset > 0))).toBe(true);
  expect(offsets.some((year) => year.every((offset) => offset < 0))).toBe(true);
  const changes = offsets.map((year) => year.flatMap((o, day) => (day > 0 && o !== year[day - 1] ? [day] : [])).join());
  expect(new Set(changes).size).toBeGreaterThanOrEqual(3);
});

test('there are enough specialists, and one is unpublished', () => {
  expect(specialists.filter((s) => s.published).length).toBeGreaterThanOrEqual(14);
  expect(specialists.some((s) => !s.published)).toBe(true);
  expect(specialists.filter((s) => s.breaks.length > 0).length).toBeGreaterThanOrEqual(12);
  expect(specialists.filter((s) => s.time_off.length > 0).length).toBeGreaterThanOrEqual(5);
  const exceptions = specialists.flatMap(({ workplaces }) => workplaces.flatMap((place) => place.exceptions));
  expect(exceptions.length).toBeGreaterThanOrEqual(5);
});

test('every service is offered, some at only one published location, many at several', () => {
  const counts = published.map(
    ({ id }) => new Set(offered.filter((one) => one.id === id).map((one) => one.location_id)).size,
  );
  expect(counts.filter((count) => count === 0)).toEqual([]);
  expect(counts.filter((count) => count === 1).length).toBeGreaterThanOrEqual(1);
  expect(counts.filter((count) => count >= 2).length).toBeGreaterThanOrEqual(30);
});

test.each(published.map(({ id, name }) => [name.en, id]))('%s can be booked on most days of the week', (_, id) => {
  const days = offered.filter((offering) => offering.id === id).flatMap((offering) => [...offering.days]);
  expect(new Set(days).size).toBeGreaterThanOrEqual(4);
});

test('every offering fits on at least one weekday', () => {
  expect(offered.filter(({ days }) => days.size === 0)).toEqual([]);
});

test('no specialist works at two locations at the same time', () => {
  for (const { display_name, workplaces } of specialists) {
    const [first, second, ...more] = workplaces.map(({ hours }) => inMinutes(hours));
    expect(more, display_name).toEqual([]);
    if (first && second) expect(intersectIntervals(first, second), display_name).toEqual([]);
  }
});

test('some specialists work at two locations, on one weekday or on different ones, and one works past midnight', () => {
  const shared = specialists
    .filter(({ workplaces }) => workplaces.length === 2)
    .map(({ workplaces }) => {
      const [first, second] = workplaces.map(({ hours }) => new Set(hours.map(({ weekday }) => weekday)));
      return [...(first ?? [])].some((weekday) => second?.has(weekday));
    });
  expect(new Set(shared)).toEqual(new Set([true, false]));
  const late = (hours: { opens: string; closes: string }[]) => hours.some(({ opens, closes }) => closes < opens);
  expect(specialists.some(({ workplaces }) => workplaces.some(({ hours }) => late(hours)))).toBe(true);
  expect(locations.some(({ hours }) => late(hours))).toBe(true);
});

describe.each([
  ['a Monday at midnight', '2026-03-02T00:00:00Z', '2026-03-19'],
  ['a Wednesday', '2026-03-04T10:00:00Z', '2026-03-19'],
  ['the last second of a Sunday', '2026-03-08T23:59:59Z', '2026-03-19'],
  ['the next Monday', '2026-03-09T00:00:00Z', '2026-03-26'],
])('seeded on %s', (_, timestamp, first) => {
  const now = new Date(timestamp);
  const seeded = sandboxCatalog(now);
  const places = [...seeded.locations, ...seeded.specialists.flatMap(({ workplaces }) => workplaces)];

  test('every exception and time off is within the next ten weeks', () => {
    expect(seeded.locations[0]?.exceptions[0]?.date).toBe(first);
    const timeOff = seeded.specialists.flatMap(({ time_off }) => time_off);
    const dates = places.flatMap(({ exceptions }) => exceptions.map(({ date }) => Date.parse(date)));
    for (const date of [...dates, ...timeOff.map(({ from }) => Date.parse(`${from}Z`))]) {
      expect(date).toBeGreaterThan(now.getTime());
      expect(date).toBeLessThan(now.getTime() + 70 * DAY_MS);
    }
    for (const { from, to } of timeOff) expect(to > from).toBe(true);
  });

  test('every exception has an effect: there are hours on that weekday', () => {
    for (const { exceptions, hours } of places)
      for (const { date } of exceptions)
        expect(hours.map(({ weekday }) => weekday)).toContain(((new Date(date).getUTCDay() + 6) % 7) + 1);
  });
});
