import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { claimedMinutes } from '@/lib/booking/bookings/resolve';
import { formatInstant, localDayBounds, localToInstant, zoneOf } from '@/lib/platform/time-zones';
import { ZONES } from './cases';
import { at } from './fixtures';

const berlin = zoneOf('Europe/Berlin');

describe('local time', () => {
  it('resolves a repeated hour to its first occurrence and a skipped hour to null', () => {
    expect(localToInstant(berlin, '2026-10-25', '02:30')).toBe(at('2026-10-25T00:30:00Z'));
    expect(localToInstant(berlin, '2027-03-28', '02:30')).toBeNull();
    expect(localToInstant(berlin, '2027-03-28', '03:00')).toBe(at('2027-03-28T01:00:00Z'));
    expect(localToInstant(zoneOf('America/St_Johns'), '2010-11-07', '00:00')).toBe(at('2010-11-07T02:30:00Z'));
  });

  it('is formatted with the offset of the instant, also in the second occurrence of an hour', () => {
    expect(formatInstant(berlin, at('2026-10-25T00:30:00Z')).rfc3339).toBe('2026-10-25T02:30:00+02:00');
    expect(formatInstant(berlin, at('2026-10-25T01:30:00Z')).rfc3339).toBe('2026-10-25T02:30:00+01:00');
    expect(formatInstant(zoneOf('UTC'), at('2026-01-01T00:00:00Z'))).toEqual({
      date: '2026-01-01',
      time: '00:00',
      rfc3339: '2026-01-01T00:00:00+00:00',
    });
    const newfoundland = zoneOf('America/St_Johns');
    expect(formatInstant(newfoundland, at('2026-01-01T00:00:00Z')).rfc3339).toBe('2025-12-31T20:30:00-03:30');
  });

  it('has days of 23, 24 and 25 hours, and skipped days', () => {
    const hours = (zone: string, date: string) => {
      const { from, to } = localDayBounds(zoneOf(zone), date);
      return (to - from) / 60;
    };
    expect(hours('Europe/Berlin', '2027-03-28')).toBe(23);
    expect(hours('Europe/Berlin', '2026-09-14')).toBe(24);
    expect(hours('Europe/Berlin', '2026-10-25')).toBe(25);
    expect(hours('Australia/Lord_Howe', '2026-10-04')).toBe(23.5);
    expect(hours('Pacific/Apia', '2011-12-30')).toBe(0);
    expect(localDayBounds(zoneOf('Asia/Beirut'), '2027-03-28').from).toBe(at('2027-03-27T22:00:00Z'));
  });

  it('agrees with Temporal every twelve days from 2001 to 2025 in every tested zone', () => {
    for (const name of [...ZONES, 'Asia/Gaza', 'America/Argentina/San_Luis', 'Antarctica/Casey']) {
      const zone = zoneOf(name);
      // The rules of later years differ between the versions of Node.js that run this test.
      for (let minute = at('2001-01-01T00:00:00Z'); minute < at('2026-01-01T00:00:00Z'); minute += 7 * 60 * 41) {
        const zoned = Temporal.Instant.fromEpochMilliseconds(minute * 60_000).toZonedDateTimeISO(name);
        const text = zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
        expect(formatInstant(zone, minute).rfc3339).toBe(text);
      }
    }
  });

  it('handles every year in any order', () => {
    const zone = zoneOf('America/New_York');
    for (let year = 9999; year > 0; year -= 97) {
      expect(localToInstant(zone, `${String(year).padStart(4, '0')}-07-01`, '12:00')).toBeTypeOf('number');
    }
    for (let year = 1; year <= 200; year++) localToInstant(zone, `${String(year + 1900)}-07-01`, '12:00');
    expect(localToInstant(zone, '2026-07-01', '12:00')).toBe(at('2026-07-01T16:00:00Z'));
  });

  it('rejects unknown zones', () => {
    expect(() => zoneOf('Mars/Olympus')).toThrow(new RangeError('time zone must be a known IANA zone'));
  });
});

describe('claimed minutes', () => {
  it('count only within the local day, each claim once, without buffers', () => {
    const day = localDayBounds(berlin, '2026-09-14');
    const claims = [
      { startsAt: at('2026-09-13T21:30:00Z'), durationMinutes: 60 },
      { startsAt: at('2026-09-14T08:00:00Z'), durationMinutes: 45 },
      { startsAt: at('2026-09-14T21:50:00Z'), durationMinutes: 60 },
      { startsAt: at('2026-09-14T22:00:00Z'), durationMinutes: 60 },
    ];
    expect(claimedMinutes(claims, day)).toBe(30 + 45 + 10);
    expect(claimedMinutes([], day)).toBe(0);
  });
});
