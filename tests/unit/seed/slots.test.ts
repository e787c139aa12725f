import { describe, expect, test } from 'vitest';
import {
  formatSlotTimes,
  prepareLocation,
  prepareService,
  prepareSpecialist,
  slotsForRange,
} from '@/lib/booking/availability';
import { catalogRows } from '@/lib/operations/sandbox/seed/rows';

const DAY_MS = 86_400_000;

type Rows = ReturnType<typeof catalogRows>;
type StoredHours = { opens: string; closes: string }[];

const day = (date: Date | string) => new Date(date).toISOString().slice(0, 10);
const minute = (date: Date | string) => new Date(date).toISOString().slice(0, 16);

function exceptionsOf(rows: readonly { date: Date | string; hours: unknown }[]) {
  return rows.map(({ date, hours }) => ({ date: day(date), hours: hours as StoredHours }));
}

function location(rows: Rows, id: string, timeZone: string) {
  const opening = rows.locationHours.filter((h) => h.locationId === id);
  const exceptions = exceptionsOf(rows.locationExceptions.filter((e) => e.locationId === id));
  return prepareLocation({ id, timeZone, opening, exceptions });
}

function specialist(rows: Rows, id: string, at: ReturnType<typeof location>) {
  const isOwn = (row: { specialistId: string; locationId: string }) =>
    row.specialistId === id && row.locationId === at.id;
  return prepareSpecialist(
    {
      id,
      working: rows.specialistHours.filter(isOwn),
      breaks: rows.specialistBreaks.filter((b) => b.specialistId === id),
      exceptions: exceptionsOf(rows.specialistExceptions.filter(isOwn)),
      timeOff: rows.specialistTimeOff
        .filter((t) => t.specialistId === id)
        .map(({ startsAt, endsAt }) => ({ from: minute(startsAt), to: minute(endsAt) })),
    },
    at,
  );
}

/** Returns, for each published service, the dates with slots in the three weeks after `now`. */
function datesByService(now: Date): Map<string, Set<string>> {
  const rows = catalogRows(now);
  const people = new Set(rows.specialists.filter((s) => s.published).map((s) => s.id));
  const dates = new Map<string, Set<string>>();
  const range = { date: day(now), dateTo: day(new Date(now.getTime() + 21 * DAY_MS)), now: now.getTime(), claims: [] };
  for (const { id, timeZone } of rows.locations.filter((l) => l.published)) {
    const at = location(rows, id, timeZone);
    for (const service of rows.services.filter((s) => s.published)) {
      const specialists = rows.offerings
        .filter((o) => o.serviceId === service.id && o.locationId === id && people.has(o.specialistId))
        .map(({ specialistId }) => specialist(rows, specialistId, at));
      const slots = slotsForRange({ ...range, service: prepareService(service), location: at, specialists });
      const known = dates.get(service.id) ?? new Set();
      for (const slot of slots) known.add(formatSlotTimes(at, slot).date);
      dates.set(service.id, known);
    }
  }
  return dates;
}

describe.each(['2026-03-04T10:00:00Z', '2026-10-18T22:30:00Z', '2027-01-01T00:00:00Z'])('seeded at %s', (moment) => {
  test('every published service has slots on most days of the next three weeks', () => {
    const dates = datesByService(new Date(moment));
    expect(dates.size).toBeGreaterThanOrEqual(60);
    for (const [id, days] of dates) expect(days.size, id).toBeGreaterThanOrEqual(11);
  });
});
