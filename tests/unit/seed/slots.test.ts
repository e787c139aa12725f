import { describe, expect, test } from 'vitest';
import { prepareLocation, prepareService, prepareSpecialist } from '@/lib/booking/availability/input';
import { formatSlotTimes, slotsForRange } from '@/lib/booking/availability/slots';
import { sandboxCatalog } from '@/lib/operations/sandbox/seed/catalog';

type Catalog = ReturnType<typeof sandboxCatalog>;

const day = (time: number) => new Date(time).toISOString().slice(0, 10);

const serviceOf = (service: Catalog['services'][number]) =>
  prepareService({
    id: service.id,
    durationMinutes: service.duration_minutes,
    slotIntervalMinutes: service.slot_interval_minutes,
    bufferBeforeMinutes: service.buffer_before_minutes,
    bufferAfterMinutes: service.buffer_after_minutes,
    capacity: service.capacity,
    minLeadMinutes: service.min_lead_minutes,
    maxAdvanceDays: service.max_advance_days,
  });

/** Returns, for each published service, the dates with slots in the three weeks after `now`. */
function datesByService(now: Date): Map<string, Set<string>> {
  const { locations, services, specialists } = sandboxCatalog(now);
  const dates = new Map<string, Set<string>>();
  const from = now.getTime();
  const range = { date: day(from), dateTo: day(from + 21 * 86_400_000), now: from, claims: [], blocks: [] };
  for (const { id, time_zone: timeZone, hours: opening, exceptions } of locations.filter((one) => one.published)) {
    const location = prepareLocation({ id, tenantId: 'ten', timeZone, opening, exceptions });
    for (const service of services.filter((one) => one.published)) {
      const offering = specialists
        .filter((one) => one.published)
        .flatMap(({ id: specialistId, workplaces, breaks, time_off: timeOff }) =>
          workplaces
            .filter((place) => place.location_id === id && place.service_ids.includes(service.id))
            .map(({ hours: working, exceptions: dated }) =>
              prepareSpecialist({ id: specialistId, working, breaks, exceptions: dated, timeOff }, location),
            ),
        );
      const slots = slotsForRange({ ...range, service: serviceOf(service), location, specialists: offering });
      const known = dates.get(service.id) ?? new Set();
      for (const slot of slots) known.add(formatSlotTimes(location, slot).date);
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
