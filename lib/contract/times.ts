import { z } from 'zod';
import { boundedText } from './bounded-text';
import { CLOCK_TIME, TIME_ZONE } from './text';

const localInstant = boundedText(29).check(z.iso.datetime({ offset: true }));

/** A timestamp in a response or an event: RFC 3339 UTC with milliseconds and `Z` (contract B1). */
export const instant = boundedText(24).check(z.iso.datetime({ precision: 3 }));

/** A date in a response, in the time zone of the location. */
export const localDate = boundedText(10)
  .check(z.iso.date())
  .meta({
    description: "Start date, in the location's time zone.",
    examples: ['2026-09-14'],
  });

const localTime = boundedText(5).regex(new RegExp(CLOCK_TIME.pattern));

/** A wall-clock start time in a response, in the time zone of the location. */
export const localStart = localTime.meta({
  ...CLOCK_TIME,
  description: "Wall-clock start time, in the location's time zone.",
  examples: ['09:30'],
});

/** A start timestamp with the UTC offset of the location. */
export const startsAt = localInstant.meta({
  description: "Start in RFC 3339 format, with the location's UTC offset.",
  examples: ['2026-09-14T09:30:00+02:00'],
});

/** The time fields of slots, bookings, and events (contract B1). */
export const times = {
  date: localDate,
  start_time: localStart,
  end_time: localTime.meta({
    ...CLOCK_TIME,
    description: 'Wall-clock end time. May be on the next day; `ends_at` is authoritative.',
    examples: ['10:15'],
  }),
  starts_at: startsAt,
  ends_at: localInstant.meta({
    description: "End in RFC 3339 format, with the location's UTC offset.",
    examples: ['2026-09-14T10:15:00+02:00'],
  }),
  time_zone: z
    .string()
    .meta({ ...TIME_ZONE, description: "The location's IANA time zone.", examples: ['Europe/Berlin'] }),
};
