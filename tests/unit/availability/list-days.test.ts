import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BusyRequest } from '@/lib/booking/availability/claims';
import type { Claim } from '@/lib/booking/availability/input';
import { firstSlots, nextSlot } from '@/lib/booking/availability/list-days';
import { formatSlotTimes, type Slot, type SlotsQuery, slotsForRange } from '@/lib/booking/availability/slots';
import { formatDay, parseDay } from '@/lib/platform/time-zones';
import { anyCase, queryOf } from './cases';
import { at, claim, daily, query } from './fixtures';
import { readerOf } from './reader';

const FIRST = parseDay('2026-09-14');

/** Returns claims that take all three starts of `days` days. */
const full = (days: number, from = 0): Claim[] =>
  Array.from({ length: days }, (_, day) => formatDay(FIRST + from + day)).flatMap((date) =>
    ['09', '10', '11'].map((hour) => claim(`${date}T${hour}:00:00+02:00`)),
  );

const daysOf = ({ ranges }: BusyRequest) => Math.round(((ranges.at(-1)?.to ?? 0) - (ranges[0]?.from ?? 0)) / 1440);

/** Returns the first slot of each day, from all slots. */
function firstsOf(query: SlotsQuery): Slot[] {
  const firsts = new Map<string, Slot>();
  for (const slot of slotsForRange(query)) {
    const { date } = formatSlotTimes(query.location, slot);
    if (!firsts.has(date)) firsts.set(date, slot);
  }
  return [...firsts.values()];
}

const timeOf = (place: Parameters<typeof formatSlotTimes>[0], slot: Slot | null) => {
  if (!slot) return null;
  const { date, start_time } = formatSlotTimes(place, slot);
  return `${date} ${start_time}`;
};

describe('the first slots of days', () => {
  it('are those of the slot engine, over daylight saving, a night, and the horizon', async () => {
    const claims = [...full(3), claim('2026-10-25T09:00:00+01:00'), claim('2026-10-26T09:00:00+01:00')];
    for (const setting of [
      {},
      { now: '2026-09-20T08:30:00Z' },
      { now: '2026-10-01T00:00:00Z', service: { maxAdvanceDays: 20, minLeadMinutes: 5_000 } },
      { location: { opening: daily('22:00', '04:00') }, service: { slotIntervalMinutes: 15 } },
      {
        location: { opening: daily('00:00', '00:00'), timeZone: 'Pacific/Apia' },
        service: { slotIntervalMinutes: 45 },
      },
    ]) {
      const { service, location, specialists, now, blocks } = query(setting);
      const found = await firstSlots(
        readerOf(claims).read,
        { service, location, specialists },
        '2026-09-14',
        '2026-11-14',
        new Date(now),
      );
      const firsts = [0, 31].flatMap((start) => {
        const range = { date: formatDay(FIRST + start), dateTo: formatDay(FIRST + start + 30) };
        return firstsOf({ service, location, specialists, claims, blocks, now, ...range });
      });
      expect(firsts.length).toBeGreaterThan(10);
      expect(found).toEqual(firsts);
    }
  });

  it('are the same in a wide read, which reads the claims of the first starts, and the later ones only if needed', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (day) => {
        const { service, location, specialists, blocks, now, date, ...rest } = queryOf(day);
        const claims = rest.claims.map((one) => ({ ...one, isOwn: false }));
        const copies = Array.from({ length: Math.ceil(101 / specialists.length / 31) }, (_, copy) => copy);
        const copied = <T>(list: readonly T[], copyOf: (one: T, copy: number) => T) =>
          copies.flatMap((copy) => list.map((one) => (copy === 0 ? one : copyOf(one, copy))));
        const wide = {
          ...{ service, location, now, date, dateTo: formatDay(parseDay(date) + 30), blocks },
          specialists: copied(specialists, (one, copy) => ({ ...one, id: `${one.id}-${copy}` })),
          claims: copied(claims, (one, copy) => ({ ...one, specialistId: `${one.specialistId}-${copy}` })),
        };
        const { read, asked } = readerOf(wide.claims, blocks);
        const found = await firstSlots(read, wide, date, wide.dateTo, new Date(now));
        expect(found).toEqual(firstsOf(wide));
        expect(asked.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 150 },
    );
  });

  it('of a wide read depend on the last minute of an appointment that starts in the last minute of the first hour', async () => {
    const { service, location, specialists, now } = query({ service: { slotIntervalMinutes: 1 } });
    const many = Array.from({ length: 101 }, (_, i) => specialists.map((one) => ({ ...one, id: `s${i}` }))).flat();
    const [nine, twelve] = [at('2026-09-14T09:00:00+02:00'), at('2026-09-14T12:00:00+02:00')];
    const claims = many.flatMap(({ id: specialistId }) => [
      claim('2026-09-14T09:00:00+02:00', { specialistId, to: nine + 59 }),
      claim('2026-09-14T10:58:00+02:00', { specialistId, to: twelve }),
    ]);
    const { read, asked } = readerOf(claims);
    const days = { service, location, specialists: many };
    expect(await firstSlots(read, days, '2026-09-14', '2026-09-14', new Date(now))).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('are read in steps of at most 930 specialist days, so that other requests are answered between them', async () => {
    const { read, asked } = readerOf([]);
    const {
      service,
      location,
      specialists: [one],
      now,
    } = query();
    if (!one) throw new Error('no specialist');
    for (const count of [1, 30, 100, 950]) {
      asked.length = 0;
      const specialists = Array.from({ length: count }, (_, i) => ({ ...one, id: `s${i}` }));
      await firstSlots(read, { service, location, specialists }, '2026-09-14', '2026-10-13', new Date(now));
      for (const request of asked) expect(daysOf(request) * count).toBeLessThanOrEqual(Math.max(930, count));
      expect(asked).toHaveLength(Math.ceil(30 / Math.min(31, Math.floor(930 / count) || 1)));
    }
  });
});

describe('the next slot', () => {
  const { service, location, specialists, now } = query({ service: { maxAdvanceDays: 146 } });
  const combination = { service, location, specialists };
  const search = async (claims: Claim[], budget = 6_200, date = '2026-09-14') => {
    const { read, asked } = readerOf(claims);
    const { slot, ...rest } = await nextSlot(read, combination, date, new Date(now), budget);
    return { slot: timeOf(location, slot), ...rest, reads: asked.length };
  };

  it.each([
    ['on the same day', full(0), { slot: '2026-09-14 09:00', searchedTo: '2026-09-14', read: 4, reads: 1 }],
    ['after 5 full days', full(5), { slot: '2026-09-19 09:00', searchedTo: '2026-09-19', read: 16, reads: 2 }],
    ['after 40 full days', full(40), { slot: '2026-10-24 09:00', searchedTo: '2026-10-24', read: 43, reads: 3 }],
  ])('is found %s', async (_, claims, expected) => {
    expect(await search(claims)).toEqual({ ...expected, complete: true });
  });

  it('is null at the end of what can be booked', async () => {
    const found = await search(full(150));
    expect(found).toMatchObject({ slot: null, complete: true });
    expect(found.searchedTo >= '2026-10-25').toBe(true);
    expect(await search([], 6_200, '2026-11-01')).toMatchObject({ slot: null, complete: true, read: 0, reads: 0 });
  });

  it('is not searched beyond the budget, and found by a request that continues', async () => {
    const claims = full(40);
    const first = await search(claims, 20);
    expect(first).toMatchObject({ slot: null, searchedTo: '2026-10-03', complete: false, read: 20 });
    const second = await search(claims, 20, '2026-10-04');
    expect(second).toMatchObject({ slot: null, searchedTo: '2026-10-23', complete: false });
    expect(await search(claims, 20, '2026-10-24')).toMatchObject({ slot: '2026-10-24 09:00', complete: true });
  });
});
