import { describe, expect, it } from 'vitest';
import { slotsForRange } from '@/lib/booking/availability/slots';
import { query } from './fixtures';

describe('catalog preparation', () => {
  it.each([
    ['a malformed time', { location: { opening: [{ weekday: 1, opens: '9:00', closes: '10:00' }] } }],
    ['an opening at 24:00', { location: { opening: [{ weekday: 1, opens: '24:00', closes: '10:00' }] } }],
    ['weekday 0', { location: { opening: [{ weekday: 0, opens: '09:00', closes: '10:00' }] } }],
    ['a nonexistent date', { location: { exceptions: [{ date: '2026-13-01' }] } }],
    ['an unknown time zone', { location: { timeZone: 'Nowhere' } }],
    ['a malformed local time', { specialists: [{ timeOff: [{ from: '2026-09-14 09:00', to: '2026-09-14T10:00' }] }] }],
    ['a slot interval of zero', { service: { slotIntervalMinutes: 0 } }],
    ['a duration with half a minute', { service: { durationMinutes: 1.5 } }],
    ['an excessive duration', { service: { durationMinutes: 1e9 } }],
    ['a capacity of zero', { service: { capacity: 0 } }],
  ])('refuses %s', (_name, setting) => {
    expect(() => query(setting)).toThrow(RangeError);
  });

  it('treats a location without opening hours as closed', () => {
    expect(slotsForRange(query({ location: { opening: [] } }))).toEqual([]);
  });

  it('accepts records in any order', () => {
    const opening = [
      { weekday: 1, opens: '11:00', closes: '12:00' },
      { weekday: 1, opens: '09:00', closes: '10:00' },
      { weekday: 1, opens: '10:00', closes: '11:00' },
    ];
    expect(slotsForRange(query({ location: { opening }, service: { durationMinutes: 180 } }))).toHaveLength(1);
  });

  it('accepts overlapping time off in any order', () => {
    const timeOff = [
      { from: '2026-09-14T11:00', to: '2026-09-14T12:00' },
      { from: '2026-09-14T09:00', to: '2026-09-14T11:30' },
    ];
    const service = { durationMinutes: 30, slotIntervalMinutes: 30 };
    expect(slotsForRange(query({ specialists: [{ timeOff }], service }))).toEqual([]);
  });
});
