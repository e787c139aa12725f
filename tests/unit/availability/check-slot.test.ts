import { describe, expect, it } from 'vitest';
import type { Claim } from '@/lib/booking/availability/input';
import { checkSlot, type StartQuery } from '@/lib/booking/availability/slots';
import { at, claim, daily, query } from './fixtures';

const reason = (asked: StartQuery) => {
  const check = checkSlot(asked);
  return check.ok ? 'ok' : check.reason;
};

describe('checkSlot', () => {
  it('returns instants, the padded range and the specialists who need a new claim', () => {
    const service = { capacity: 3, bufferBeforeMinutes: 5, bufferAfterMinutes: 10 };
    const start = at('2026-09-14T08:00:00Z');
    const group = claim('2026-09-14T08:00:00Z', { from: start - 5, to: start + 70, capacity: 3, taken: 1 });
    const asked = query({ service, specialists: [{}, {}], claims: [group] });
    expect(checkSlot({ ...asked, startTime: '10:00' })).toEqual({
      ok: true,
      slot: {
        startsAt: start,
        endsAt: start + 60,
        from: start - 5,
        to: start + 70,
        availableCapacity: 5,
        specialists: [
          { specialistId: 'a', seatsLeft: 2, openClaim: true },
          { specialistId: 'b', seatsLeft: 3, openClaim: false },
        ],
      },
    });
  });

  it('leaves the time of two claims that overlap, even if one of them is the seat that moves or has a free seat', () => {
    const start = at('2026-09-14T08:00:00Z');
    const own = claim('2026-09-14T08:00:00Z', { isOwn: true });
    const other = claim('2026-09-14T08:00:00Z', { serviceId: 'other', to: start + 120 });
    const at10 = (claims: Claim[]) => reason({ ...query({ claims }), startTime: '10:00' });
    expect(at10([own, other])).toBe('slot_taken');
    expect(at10([other, own])).toBe('slot_taken');
    expect(at10([own])).toBe('ok');
    const group = claim('2026-09-14T08:00:00Z', { capacity: 3, taken: 1 });
    const joined = { ...query({ service: { capacity: 3 }, claims: [group] }), startTime: '10:00' };
    expect(reason(joined)).toBe('ok');
    expect(reason({ ...joined, claims: [group, claim('2026-09-14T08:30:00Z')] })).toBe('slot_taken');
  });

  it('distinguishes a specialist who does not offer the service, one who is off and one who is busy', () => {
    const specialists = [{ working: daily('09:00', '10:00') }, {}];
    const asked = {
      ...query({ specialists, claims: [claim('2026-09-14T08:00:00Z', { specialistId: 'b' })] }),
      startTime: '10:00',
    };
    expect(reason({ ...asked, specialistId: 'c' })).toBe('specialist_unavailable');
    expect(reason({ ...asked, specialistId: 'a' })).toBe('outside_schedule');
    expect(reason({ ...asked, specialistId: 'b' })).toBe('slot_taken');
    expect(reason(asked)).toBe('slot_taken');
    expect(reason({ ...asked, startTime: '11:00', specialistId: 'b' })).toBe('ok');
  });

  it('returns the first reason in the order of the contract when several apply', () => {
    // Several reasons apply: the start does not exist on the day that the clocks change, is in the past, off the grid,
    // and outside opening hours, and no specialist offers the service. Each assertion changes the request so
    // that the previous reason no longer applies.
    const refusedForAll = {
      ...query({ specialists: [], date: '2027-03-28', now: '2027-06-01T00:00:00Z' }),
      startTime: '02:17',
    };
    expect(reason({ ...refusedForAll, specialistId: 'a' })).toBe('specialist_unavailable');
    expect(reason(refusedForAll)).toBe('nonexistent_local_time');
    expect(reason({ ...refusedForAll, startTime: '03:17' })).toBe('lead_time');
    expect(reason({ ...refusedForAll, startTime: '03:17', now: Date.parse('2020-01-01T00:00:00Z') })).toBe(
      'max_advance',
    );
    expect(reason({ ...refusedForAll, startTime: '03:17', now: Date.parse('2027-01-01T00:00:00Z') })).toBe('off_grid');
    const onGrid = { ...refusedForAll, startTime: '04:00', now: Date.parse('2027-01-01T00:00:00Z') };
    expect(reason(onGrid)).toBe('outside_schedule');
  });

  it('returns lead_time even if the start is also beyond the horizon', () => {
    const service = { minLeadMinutes: 3 * 1440, maxAdvanceDays: 1 };
    expect(reason({ ...query({ service, now: '2026-09-12T00:00:00Z' }), startTime: '09:00' })).toBe('lead_time');
  });

  it('does not move a start to the grid', () => {
    const asked = query();
    expect(reason({ ...asked, startTime: '10:00' })).toBe('ok');
    expect(reason({ ...asked, startTime: '10:01' })).toBe('off_grid');
  });

  it('refuses every time of a date that the zone skipped', () => {
    const location = { timeZone: 'Pacific/Apia', opening: daily('00:00', '00:00') };
    const asked = query({ location, now: '2011-12-01T00:00:00Z', date: '2011-12-30' });
    for (const startTime of ['00:00', '12:00', '23:59']) {
      expect(reason({ ...asked, startTime })).toBe('nonexistent_local_time');
    }
  });

  it('allows a booking to move to an overlapping time', () => {
    const service = { durationMinutes: 60, slotIntervalMinutes: 30 };
    const moved = (isOwn: boolean) =>
      reason({ ...query({ service, claims: [claim('2026-09-14T08:00:00Z', { isOwn })] }), startTime: '10:30' });
    expect(moved(false)).toBe('slot_taken');
    expect(moved(true)).toBe('ok');
  });

  it('refuses malformed dates and times without echoing them', () => {
    for (const wrong of [{ date: '2026-02-30' }, { date: '2026-9-1' }, { startTime: '24:00' }, { startTime: '9:00' }]) {
      const asked = { ...query(), startTime: '10:00', ...wrong };
      expect(() => checkSlot(asked)).toThrow(RangeError);
      expect(() => checkSlot(asked)).not.toThrow(new RegExp(Object.values(wrong).join('')));
    }
  });
});
