import { expect, test } from 'vitest';
import type { Claim } from '@/lib/booking/availability/input';
import { slotsForRange } from '@/lib/booking/availability/slots';
import { prepareSchedules, type Snapshot } from '@/lib/booking/catalog/snapshot';
import { affectedBy, keyOf } from '@/lib/booking/thin-events/affected';
import { DAY, formatDay, formatInstant, parseDay } from '@/lib/platform/time-zones';
import { seeded } from '@/tests/support/random';

/** The clocks go forward on this date in Berlin, and back on the other one. */
const FIRST_DAYS = ['2027-03-26', '2027-10-29', '2027-06-07'].map(parseDay);
const DAYS = 6;
const CASES = 400;

type Random = (below: number) => number;

const time = (minutes: number) => new Date((minutes % DAY) * 60_000).toISOString().slice(11, 16);

/** A business with one service, which one specialist provides, with random hours, possibly past midnight. */
function makeSnapshot(random: Random) {
  const weekly = () =>
    [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => {
      const opens = random(24) * 60;
      return random(4) === 0 ? [] : [{ weekday, opens: time(opens), closes: time(opens + 60 + random(23) * 60) }];
    });
  const service = {
    id: 'svc',
    published: true,
    durationMinutes: 15 + random(12) * 15,
    slotIntervalMinutes: 15 + random(3) * 15,
    bufferBeforeMinutes: random(3) * 20,
    bufferAfterMinutes: random(3) * 25,
    capacity: 1 + random(2),
    minLeadMinutes: 0,
    maxAdvanceDays: 1_000,
  };
  const records = {
    tenantId: 'ten',
    services: new Map([['svc', service]]),
    locations: new Map([['loc', { id: 'loc', timeZone: 'Europe/Berlin', published: true }]]),
    specialists: new Map([['spc', { id: 'spc', published: true }]]),
    offerings: [{ specialistId: 'spc', serviceId: 'svc', locationId: 'loc' }],
  };
  const schedules = prepareSchedules(records as unknown as Parameters<typeof prepareSchedules>[0], {
    locationHours: weekly().map((hours) => ({ ...hours, locationId: 'loc' })),
    specialistHours: weekly().map((hours) => ({ ...hours, locationId: 'loc', specialistId: 'spc' })),
    specialistBreaks: random(2) === 0 ? [] : [{ specialistId: 'spc', weekday: 1, opens: '12:00', closes: '13:00' }],
    locationExceptions: [],
    specialistExceptions: [],
    specialistTimeOff: [],
  });
  return { ...records, schedules } as unknown as Snapshot;
}

/** By day: the slots of availability. */
function slotsOf(
  snapshot: Snapshot,
  first: number,
  claims: Claim[],
  blocks: { subjectId: string; from: number; to: number }[],
) {
  const { schedules } = snapshot;
  const service = schedules.services.get('svc');
  const location = schedules.locations.get('loc');
  if (!service || !location) throw new Error('no such record');
  const specialists = schedules.offering('svc', 'loc');
  const range = { date: formatDay(first), dateTo: formatDay(first + DAYS) };
  const query = { service, location, specialists, claims, blocks, now: (first - 3) * DAY * 60_000, ...range };
  const days = new Map<number, string>();
  for (const slot of slotsForRange(query)) {
    const day = parseDay(formatInstant(location.zone, slot.startsAt).date);
    days.set(day, `${days.get(day) ?? ''} ${slot.startsAt}x${slot.availableCapacity}`);
  }
  return days;
}

test(`in ${CASES} random schedules, every day on which a claim or a block changes a slot is affected`, async () => {
  const next = seeded(4711);
  const random: Random = (below) => Math.floor(next() * below);
  let [changed, named] = [0, 0];
  for (let i = 0; i < CASES; i += 1) {
    const snapshot = makeSnapshot(random);
    const first = FIRST_DAYS[i % FIRST_DAYS.length] ?? 0;
    const from = (first + 1 + random(DAYS - 2)) * DAY + random(96) * 15;
    const to = from + 15 + random(100) * 15;
    const before = slotsOf(snapshot, first, [], []);
    const isBlock = random(2) === 0;
    const subjectId = isBlock ? (['spc', 'loc', 'ten'][random(3)] ?? '') : 'spc';
    const claim = {
      specialistId: 'spc',
      serviceId: 'other',
      locationId: 'elsewhere',
      startsAt: from,
      capacity: 1,
      taken: 1,
    };
    const after = isBlock
      ? slotsOf(snapshot, first, [], [{ subjectId, from, to }])
      : slotsOf(snapshot, first, [{ ...claim, from, to }], []);
    const affected = (await affectedBy(snapshot, [{ subjectId, local: isBlock, from, to }]))?.get(keyOf('svc', 'loc'));
    for (let day = first; day <= first + DAYS; day += 1) {
      if (before.get(day) === after.get(day)) continue;
      changed += 1;
      expect([i, formatDay(day), affected?.has(day)]).toEqual([i, formatDay(day), true]);
    }
    named += affected?.size ?? 0;
  }
  expect(changed).toBeGreaterThan(CASES / 4);
  // Some days are named without a change: starts off the grid, and hours in which only the location is open.
  expect(named).toBeLessThan(changed * 2);
});
