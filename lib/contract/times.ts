import { z } from 'zod';

const localInstant = z.iso.datetime({ offset: true });

/** A timestamp in a response or an event: RFC 3339 UTC with milliseconds and `Z` (contract B1). */
export const instant = z.iso.datetime({ precision: 3 });

/** A date in a response, in the time zone of its location. */
export const localDate = z.iso
  .date()
  .meta({ description: 'Date of the start, in the time zone of the location.', examples: ['2026-09-14'] });

/** A wall-clock start time in a response, in the time zone of the location. */
export const localStart = z.iso
  .time({ precision: -1 })
  .meta({ description: 'Wall-clock start time, in the time zone of the location.', examples: ['09:30'] });

/** The timestamp of a start, with the UTC offset of the location. */
export const startsAt = localInstant.meta({
  description: 'Start in RFC 3339 format with the UTC offset of the location.',
  examples: ['2026-09-14T09:30:00+02:00'],
});

/** The time fields that slots, bookings, and events have in common (contract B1). */
export const times = {
  date: localDate,
  start_time: localStart,
  end_time: z.iso.time({ precision: -1 }).meta({
    description: 'Wall-clock end time. May be after midnight; `ends_at` is authoritative.',
    examples: ['10:15'],
  }),
  starts_at: startsAt,
  ends_at: localInstant.meta({
    description: 'End in RFC 3339 format with the UTC offset of the location.',
    examples: ['2026-09-14T10:15:00+02:00'],
  }),
  time_zone: z.string().meta({ description: 'IANA time zone of the location.', examples: ['Europe/Berlin'] }),
};
