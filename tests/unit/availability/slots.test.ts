import { describe, expect, it } from 'vitest';
import { paddedRange } from '@/lib/booking/availability/input';
import { formatSlotTimes, type SlotsQuery, slotsForRange } from '@/lib/booking/availability/slots';
import { at, claim, daily, query } from './fixtures';

const starts = (asked: SlotsQuery) =>
  slotsForRange(asked).map((slot) => formatSlotTimes(asked.location, slot).starts_at.slice(5, 16));
const times = (asked: SlotsQuery) => starts(asked).map((text) => text.slice(6));

it('lists every day of a long range', () => {
  expect(starts(query({ dateTo: '2026-10-14' }))).toHaveLength(31 * 3);
});

describe('hours', () => {
  it('that touch at midnight are one interval', () => {
    const opening = [
      { weekday: 1, opens: '18:00', closes: '24:00' },
      { weekday: 2, opens: '00:00', closes: '02:00' },
    ];
    const asked = query({ location: { opening }, service: { durationMinutes: 120 }, dateTo: '2026-09-15' });
    expect(starts(asked)).toEqual(
      ['18', '19', '20', '21', '22', '23'].map((hour) => `09-14T${hour}:00`).concat('09-15T00:00'),
    );
  });

  it('that touch inside a skipped hour still open at the start of the second interval', () => {
    const opening = [
      { weekday: 7, opens: '02:30', closes: '03:00' },
      { weekday: 7, opens: '03:00', closes: '05:00' },
    ];
    const service = { durationMinutes: 60, slotIntervalMinutes: 30 };
    expect(times(query({ location: { opening }, service, date: '2027-03-28' }))).toEqual(['03:00', '03:30', '04:00']);
  });

  it('of a dated exception do not replace the end of the night before, and breaks still apply', () => {
    const location = {
      opening: daily('20:00', '04:00'),
      exceptions: [{ date: '2026-09-14', hours: [{ opens: '10:00', closes: '13:00' }] }],
    };
    const breaks = [{ weekday: 1, opens: '11:00', closes: '12:00' }];
    expect(times(query({ location, specialists: [{ breaks }] }))).toEqual([
      ...['00:00', '01:00', '02:00', '03:00'],
      ...['10:00', '12:00'],
    ]);
  });

  it('of a specialist are removed by an exception without hours', () => {
    const specialists = [{ exceptions: [{ date: '2026-09-14' }, { date: '2026-09-15', hours: [] }] }, {}];
    const ids = slotsForRange(query({ specialists, dateTo: '2026-09-16' })).map((slot) =>
      slot.specialists.map(({ specialistId }) => specialistId).join(''),
    );
    expect(ids).toEqual(['b', 'b', 'b', 'b', 'b', 'b', 'ab', 'ab', 'ab']);
  });

  it('are not divided by an empty break or time off', () => {
    // On 2027-03-28, clocks skip 02:00 to 03:00, so 02:30 becomes 03:30. The break therefore starts after its end.
    const breaks = [{ weekday: 7, opens: '02:30', closes: '03:15' }];
    const timeOff = [{ from: '2027-03-28T04:30', to: '2027-03-28T04:30' }];
    const asked = query({
      location: { opening: daily('01:00', '06:00') },
      service: { durationMinutes: 120 },
      specialists: [{ breaks, timeOff }],
      date: '2027-03-28',
    });
    expect(times(asked)).toEqual(['01:00', '03:00', '04:00']);
  });

  it('allow a service longer than a day when they are continuous', () => {
    const location = { opening: daily('00:00', '00:00') };
    const service = { durationMinutes: 3000, slotIntervalMinutes: 720 };
    expect(times(query({ location, service }))).toEqual(['00:00', '12:00']);
  });

  it('of a skipped date do not move to the next day', () => {
    const location = { timeZone: 'Pacific/Apia', opening: [{ weekday: 5, opens: '09:00', closes: '12:00' }] };
    const asked = query({ location, now: '2011-12-01T00:00:00Z', date: '2011-12-29', dateTo: '2012-01-06' });
    expect(starts(asked)).toEqual(['01-06T09:00', '01-06T10:00', '01-06T11:00']);
  });
});

describe('lead time and horizon', () => {
  const now = (text: string, service: object) => times(query({ now: text, service }));

  it('are inclusive to the millisecond', () => {
    expect(now('2026-09-14T07:00:00.000Z', { minLeadMinutes: 60 })).toEqual(['10:00', '11:00']);
    expect(now('2026-09-14T07:00:00.001Z', { minLeadMinutes: 60 })).toEqual(['11:00']);
    expect(now('2026-09-13T08:00:00.000Z', { maxAdvanceDays: 1 })).toEqual(['09:00', '10:00']);
    expect(now('2026-09-13T07:59:59.999Z', { maxAdvanceDays: 1 })).toEqual(['09:00']);
  });

  it('exclude past dates and dates beyond the horizon, for which no claims are read', () => {
    for (const date of ['2026-05-31', '0001-01-01', '2027-07-08', '9999-12-31']) {
      const asked = query({ date });
      expect(slotsForRange(asked)).toEqual([]);
      expect(paddedRange(asked)).toBeNull();
    }
  });

  it('count days of 24 hours across a daylight-saving change', () => {
    // 2026-10-25 has 25 hours, so 24 hours after Saturday 12:00 is Sunday 11:00.
    const location = { opening: daily('10:00', '14:00') };
    const service = { maxAdvanceDays: 1 };
    const asked = query({ location, service, now: '2026-10-24T10:00:00Z', date: '2026-10-25' });
    expect(times(asked)).toEqual(['10:00', '11:00']);
  });
});

describe('a claim', () => {
  it('blocks the buffers of both bookings', () => {
    const service = { durationMinutes: 30, slotIntervalMinutes: 15, bufferBeforeMinutes: 15, bufferAfterMinutes: 15 };
    const padded = { from: at('2026-09-14T07:45:00Z'), to: at('2026-09-14T08:45:00Z') };
    const asked = query({ service, claims: [claim('2026-09-14T08:00:00Z', padded)] });
    expect(times(asked)).toEqual(['09:00', '11:00', '11:15', '11:30']);
  });

  it('of a group is open only for its own service, location, start and padded range', () => {
    const seats = (change: object) => {
      const group = claim('2026-09-14T08:00:00Z', { capacity: 5, taken: 2, ...change });
      return slotsForRange(query({ service: { capacity: 4 }, claims: [group] })).map((slot) => slot.availableCapacity);
    };
    expect(seats({})).toEqual([4, 3, 4]);
    for (const other of [{ serviceId: 'x' }, { locationId: 'x' }, { to: at('2026-09-14T08:59:00Z') }, { taken: 5 }]) {
      expect(seats(other)).toEqual([4, 4]);
    }
    // The claim begins with a buffer, so it also blocks the preceding slot. No booking can join the claim, because the
    // service has no buffer, and the ranges of the booking and the claim would differ.
    expect(seats({ from: at('2026-09-14T07:55:00Z') })).toEqual([4]);
  });

  it('has one more seat for the excluded booking, and does not exist without bookings', () => {
    const offers = (taken: number, change: object) => {
      const group = claim('2026-09-14T08:00:00Z', { capacity: 4, taken, isOwn: true, ...change });
      const asked = query({ service: { capacity: 6 }, claims: [group] });
      return slotsForRange(asked).map(({ specialists }) => specialists.map((s) => [s.seatsLeft, s.openClaim]));
    };
    const free = [[6, false]];
    expect(offers(4, {})).toEqual([free, [[1, true]], free]);
    expect(offers(1, {})).toEqual([free, free, free]);
    // This claim was made when the service was shorter. A booking of the present length cannot join the claim.
    expect(offers(2, { to: at('2026-09-14T08:30:00Z') })).toEqual([free, free]);
  });

  it('of another specialist at the same start is not excluded', () => {
    const start = '2026-09-14T08:00:00Z';
    const claims = [claim(start, { specialistId: 'b' }), claim(start, { isOwn: true })];
    const slots = slotsForRange(query({ specialists: [{}, {}], claims }));
    expect(slots[1]?.specialists.map(({ specialistId }) => specialistId)).toEqual(['a']);
  });
});

describe('the padded range', () => {
  it('covers every start of the days with both buffers, and whole days without now', () => {
    const service = { bufferBeforeMinutes: 10, bufferAfterMinutes: 20 };
    const { now, ...asked } = query({ service, now: '2026-09-14T08:00:30Z', dateTo: '2026-09-15' });
    const to = at('2026-09-15T21:59:00Z') + 80;
    expect(paddedRange(asked)).toEqual({ from: at('2026-09-13T21:50:00Z'), to });
    expect(paddedRange({ ...asked, now })).toEqual({ from: at('2026-09-14T07:51:00Z'), to });
    const after = at('2026-09-14T10:00:00Z');
    expect(paddedRange({ ...asked, now, after })).toEqual({ from: after + 1 - 10, to });
  });

  it('refuses more than 31 days', () => {
    expect(paddedRange(query({ dateTo: '2026-10-14' }))).not.toBeNull();
    expect(() => paddedRange(query({ dateTo: '2026-10-15' }))).toThrow(RangeError);
    expect(() => slotsForRange(query({ dateTo: '2026-10-15' }))).toThrow(RangeError);
  });
});

it('returns at most limit slots and continues after the last one', () => {
  const asked = { ...query({ dateTo: '2026-09-15' }), limit: 4 };
  expect(starts(asked)).toEqual(['09-14T09:00', '09-14T10:00', '09-14T11:00', '09-15T09:00']);
  const after = slotsForRange(asked).at(-1)?.startsAt ?? null;
  expect(starts({ ...asked, after })).toEqual(['09-15T10:00', '09-15T11:00']);
});
