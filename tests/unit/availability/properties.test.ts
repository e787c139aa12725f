import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { paddedRange } from '@/lib/booking/availability/input';
import { checkSlot, formatSlotTimes, slotsForRange } from '@/lib/booking/availability/slots';
import { repeats, SOAK } from '@/tests/support/soak';
import { anyCase, pagesOf, queryOf, ZONES } from './cases';
import { clockTimes, dates, modelCheck, modelSlots, workingMinutes } from './model';

const TIMEOUT = { timeout: SOAK ? 3_600_000 : 120_000 };

const rfc3339 = (minute: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(minute * 60_000)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

describe('the engine compared with a minute-by-minute model', () => {
  it('covers enough zones', () => {
    expect(ZONES.length).toBeGreaterThanOrEqual(10);
  });

  it('offers exactly the slots of the model, with the same seats and formats', TIMEOUT, () => {
    fc.assert(
      fc.property(anyCase, (day) => {
        const query = queryOf(day);
        const offered = slotsForRange(query).map((slot) => ({ ...slot, ...formatSlotTimes(query.location, slot) }));
        const expected = modelSlots(day).map(({ date, time, startsAt, seats }) => {
          const endsAt = startsAt + day.service.durationMinutes;
          const ends_at = rfc3339(endsAt, day.timeZone);
          return {
            startsAt,
            endsAt,
            availableCapacity: seats.reduce((sum, { seatsLeft }) => sum + seatsLeft, 0),
            specialists: seats,
            date,
            start_time: time,
            end_time: ends_at.slice(11, 16),
            starts_at: rfc3339(startsAt, day.timeZone),
            ends_at,
            time_zone: day.timeZone,
          };
        });
        expect(offered).toEqual(expected);
      }),
      { numRuns: repeats(60, 2_000) },
    );
  });

  it('returns for every start of the day the slot or the reason of the model', TIMEOUT, () => {
    const requested = fc.constantFrom(null, null, 's0', 's1', 'nobody');
    const offGrid = fc.integer({ min: 1, max: 59 });
    fc.assert(
      fc.property(anyCase, requested, offGrid, (day, specialistId, step) => {
        const query = queryOf(day);
        const working = workingMinutes(day);
        const offered = new Map(slotsForRange(query).map((slot) => [slot.startsAt, slot]));
        const times = new Set([...clockTimes(day.service.slotIntervalMinutes), ...clockTimes(Math.max(step, 15))]);
        for (const startTime of times) {
          const expected = modelCheck(day, working, day.date, startTime, specialistId);
          const check = checkSlot({ ...query, startTime, specialistId });
          if (typeof expected === 'string') {
            expect({ startTime, check }).toEqual({ startTime, check: { ok: false, reason: expected } });
            continue;
          }
          if (!check.ok) throw new Error(`${startTime} is refused: ${check.reason}`);
          expect(check.slot.specialists).toEqual(expected.seats);
          expect(check.slot.from).toBe(expected.startsAt - day.service.bufferBeforeMinutes);
          expect(check.slot.to).toBe(check.slot.endsAt + day.service.bufferAfterMinutes);
          if (specialistId === null)
            expect(offered.get(expected.startsAt)).toMatchObject({ specialists: expected.seats });
          else expect(offered.get(expected.startsAt)?.specialists).toContainEqual(expected.seats[0]);
        }
      }),
      { numRuns: repeats(30, 800) },
    );
  });
});

describe('consistency of the engine', () => {
  it('books exactly the starts that it offers', TIMEOUT, () => {
    fc.assert(
      fc.property(anyCase, (day) => {
        const query = queryOf(day);
        const booked = dates(day.date, day.dateTo).flatMap((date) =>
          clockTimes(day.service.slotIntervalMinutes).flatMap((startTime) => {
            const check = checkSlot({ ...query, date, startTime });
            if (!check.ok) return [];
            const { from, to, ...slot } = check.slot;
            return [slot];
          }),
        );
        expect(booked).toEqual(slotsForRange(query));
      }),
      { numRuns: repeats(25, 600) },
    );
  });

  it('returns the same slots on pages of any size', TIMEOUT, () => {
    fc.assert(
      fc.property(anyCase, fc.integer({ min: 1, max: 96 }), (day, limit) => {
        const pages = pagesOf(queryOf(day), limit);
        expect(pages.flat()).toEqual(slotsForRange(queryOf(day)));
        for (const page of pages.slice(0, -2)) expect(page).toHaveLength(limit);
      }),
      { numRuns: repeats(60, 2_000) },
    );
  });

  it('does not depend on claims outside the padded range, on any page', TIMEOUT, () => {
    fc.assert(
      fc.property(anyCase, fc.nat(40), (day, skipped) => {
        const query = queryOf(day);
        const all = slotsForRange(query);
        const after = all[skipped]?.startsAt ?? null;
        for (const asked of [query, { ...query, after }]) {
          const range = paddedRange(asked);
          const claims = query.claims.filter(({ from, to }) => range !== null && from < range.to && to > range.from);
          expect(slotsForRange({ ...asked, claims })).toEqual(slotsForRange(asked));
          if (range === null) expect(slotsForRange(asked)).toEqual([]);
        }
      }),
      { numRuns: repeats(60, 2_000) },
    );
  });

  it('offers the same slots after another booking if its seat is excluded', TIMEOUT, () => {
    fc.assert(
      fc.property(anyCase, fc.nat(), (day, pick) => {
        const query = queryOf({ ...day, exclude: null });
        const before = slotsForRange(query);
        const slot = before[pick % Math.max(before.length, 1)];
        const seat = slot?.specialists[0];
        if (!slot || !seat) return;
        const { specialistId } = seat;
        const joined = (one: { specialistId: string; startsAt: number }) =>
          one.specialistId === specialistId && one.startsAt === slot.startsAt;
        const claims = seat.openClaim
          ? query.claims.map((claim) => (joined(claim) ? { ...claim, taken: claim.taken + 1, isOwn: true } : claim))
          : [
              ...query.claims,
              {
                ...{ specialistId, serviceId: 'svc', locationId: 'loc', startsAt: slot.startsAt },
                from: slot.startsAt - day.service.bufferBeforeMinutes,
                to: slot.endsAt + day.service.bufferAfterMinutes,
                ...{ capacity: day.service.capacity, taken: 1, isOwn: true },
              },
            ];
        const others = claims.map((claim) => ({ ...claim, isOwn: false }));
        const taken = slotsForRange({ ...query, claims: others }).find(({ startsAt }) => startsAt === slot.startsAt);
        expect(taken?.availableCapacity ?? 0).toBe(slot.availableCapacity - 1);
        expect(slotsForRange({ ...query, claims })).toEqual(before);
      }),
      { numRuns: repeats(60, 2_000) },
    );
  });
});
