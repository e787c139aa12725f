import { expect, test } from 'vitest';
import { LOCATIONS } from '@/lib/operations/sandbox/seed/locations';
import { catalogRows } from '@/lib/operations/sandbox/seed/rows';
import { SERVICE_GROUPS } from '@/lib/operations/sandbox/seed/services/all';
import { SPECIALISTS } from '@/lib/operations/sandbox/seed/specialists/all';
import type { ServiceGroup, Text } from '@/lib/operations/sandbox/seed/types';
import { zoneOf } from '@/lib/platform/time-zones';
import { offsetAt } from '@/lib/platform/time-zones/zone';

const rows = catalogRows(new Date('2026-03-04T10:00:00Z'));
const groups: readonly ServiceGroup[] = SERVICE_GROUPS;
const services = rows.services;
const published = services.filter((service) => service.published);

test('the number of services of each kind is as documented', () => {
  expect(published.length).toBeGreaterThanOrEqual(60);
  expect(services.length - published.length).toBeGreaterThanOrEqual(3);
  expect(published.filter(({ capacity }) => capacity >= 6 && capacity <= 12).length).toBeGreaterThanOrEqual(4);
  expect(published.filter((s) => s.bufferBeforeMinutes || s.bufferAfterMinutes).length).toBeGreaterThanOrEqual(10);
  expect(new Set(published.map((s) => s.slotIntervalMinutes))).toEqual(new Set([5, 10, 15, 20, 30, 60]));
  expect(published.some((s) => s.priceAmount === null)).toBe(true);
});

test('the settings of services are within the documented ranges', () => {
  for (const service of services) {
    expect(service.durationMinutes).toBeGreaterThanOrEqual(15);
    expect(service.durationMinutes).toBeLessThanOrEqual(120);
    expect(service.minLeadMinutes).toBeLessThanOrEqual(24 * 60);
    expect(service.cancellationCutoffMinutes).toBeLessThanOrEqual(24 * 60);
    expect(service.maxAdvanceDays).toBeGreaterThanOrEqual(30);
    expect(service.maxAdvanceDays).toBeLessThanOrEqual(180);
  }
});

test('a price is a positive integer of minor units with a currency, or null', () => {
  for (const { priceAmount, priceCurrency } of services) {
    if (priceAmount === null) expect(priceCurrency).toBeNull();
    else {
      expect(Number.isInteger(priceAmount) && priceAmount > 0).toBe(true);
      expect(['EUR', 'USD', 'INR', 'AUD']).toContain(priceCurrency);
    }
  }
});

test('every text exists in all three languages', () => {
  const texts: (Text | null)[] = [
    ...LOCATIONS.map(({ name }) => name),
    ...groups.flatMap(({ category, services }) => [category, ...services.flatMap((s) => [s.name, s.description])]),
    ...SPECIALISTS.flatMap(({ title, description }) => [title, description]),
  ];
  for (const text of texts) {
    if (text === null) continue;
    expect(Object.keys(text).sort()).toEqual(['de', 'en', 'fr']);
    for (const value of Object.values(text)) expect(value.trim()).toBe(value);
    expect(Object.values(text)).not.toContain('');
  }
});

test('names of services are unique in every language', () => {
  const names = groups.flatMap(({ services }) => services.map(({ name }) => name));
  for (const locale of ['en', 'de', 'fr'] as const) {
    expect(new Set(names.map((name) => name[locale])).size).toBe(names.length);
  }
});

test('published locations are in time zones on both sides of UTC with different daylight-saving rules', () => {
  const zones = [...new Set(rows.locations.filter((l) => l.published).map((l) => l.timeZone))];
  expect(zones.length).toBeGreaterThanOrEqual(3);
  expect(rows.locations.some((l) => !l.published)).toBe(true);
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
  expect(rows.specialists.filter((s) => s.published).length).toBeGreaterThanOrEqual(14);
  expect(rows.specialists.some((s) => !s.published)).toBe(true);
  expect(SPECIALISTS.filter((s) => s.breaks.length > 0).length).toBeGreaterThanOrEqual(12);
  expect(SPECIALISTS.filter((s) => s.timeOff.length > 0).length).toBeGreaterThanOrEqual(5);
  expect(rows.specialistExceptions.length).toBeGreaterThanOrEqual(5);
});

test('some services are offered at only one published location, many at several', () => {
  const open = new Set(rows.locations.filter((l) => l.published).map((l) => l.id));
  const people = new Set(rows.specialists.filter((s) => s.published).map((s) => s.id));
  const counts = published.map(({ id }) => {
    const offerings = rows.offerings.filter((o) => o.serviceId === id && people.has(o.specialistId));
    return new Set(offerings.map((o) => o.locationId).filter((location) => open.has(location))).size;
  });
  expect(counts.filter((count) => count === 0)).toEqual([]);
  expect(counts.filter((count) => count === 1).length).toBeGreaterThanOrEqual(1);
  expect(counts.filter((count) => count >= 2).length).toBeGreaterThanOrEqual(30);
});
