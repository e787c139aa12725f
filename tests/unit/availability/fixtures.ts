import {
  type BlockedTime,
  type Claim,
  type LocationRecord,
  prepareLocation,
  prepareService,
  prepareSpecialist,
  type ServiceRecord,
  type SpecialistRecord,
} from '@/lib/booking/availability/input';
import type { SlotsQuery } from '@/lib/booking/availability/slots';

/** Returns the same hours for every day of the week. */
export const daily = (opens: string, closes: string) =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens, closes }));

/** Returns the epoch minutes of an RFC 3339 timestamp. */
export const at = (text: string): number => Date.parse(text) / 60_000;

interface Setting {
  service?: Partial<ServiceRecord>;
  location?: Partial<LocationRecord>;
  specialists?: Partial<SpecialistRecord>[];
  claims?: Claim[];
  blocks?: BlockedTime[];
  now?: string;
  date?: string;
  dateTo?: string;
}

/** Returns a query for a 60-minute service with one specialist, in Berlin, 09:00-12:00 every day. */
export function query(setting: Setting = {}): SlotsQuery {
  const location = prepareLocation({
    ...{ id: 'loc', tenantId: 'ten', timeZone: 'Europe/Berlin', opening: daily('09:00', '12:00') },
    ...setting.location,
  });
  return {
    service: prepareService({
      ...{ id: 'svc', durationMinutes: 60, slotIntervalMinutes: 60, capacity: 1 },
      ...{ bufferBeforeMinutes: 0, bufferAfterMinutes: 0, minLeadMinutes: 0, maxAdvanceDays: 400 },
      ...setting.service,
    }),
    location,
    specialists: (setting.specialists ?? [{}]).map((record, index) =>
      prepareSpecialist({ id: 'abc'.charAt(index), working: daily('00:00', '00:00'), ...record }, location),
    ),
    claims: setting.claims ?? [],
    blocks: setting.blocks ?? [],
    now: Date.parse(setting.now ?? '2026-06-01T00:00:00Z'),
    date: setting.date ?? '2026-09-14',
    dateTo: setting.dateTo ?? null,
  };
}

/** Returns a 60-minute claim with one seat, which is taken. Its ids match those that the function `query` uses. */
export function claim(startsAt: string, change: Partial<Claim> = {}): Claim {
  const start = at(startsAt);
  const own = { specialistId: 'a', serviceId: 'svc', locationId: 'loc', startsAt: start };
  return { ...own, from: start, to: start + 60, capacity: 1, taken: 1, ...change };
}
