import { z } from 'zod';

const localInstant = z.iso.datetime({ offset: true });

/** An instant of ours: RFC 3339 UTC with `Z` (contract B1). */
export const instant = z.iso.datetime();

/** A date in a response, in the zone of the location. */
export const localDate = z.iso
  .date()
  .meta({ description: 'Date of the start, in the zone of the location.', examples: ['2026-09-14'] });

/** A wall-clock start in a response. */
export const localStart = z.iso
  .time({ precision: -1 })
  .meta({ description: 'Wall-clock start, in the zone of the location.', examples: ['09:30'] });

/** The instant of a start, with the offset of the location. */
export const startsAt = localInstant.meta({
  description: 'Start as RFC 3339 with the offset of the location.',
  examples: ['2026-09-14T09:30:00+02:00'],
});

/** When something is: what slots, bookings and events have in common (contract B1). */
export const times = {
  date: localDate,
  start_time: localStart,
  end_time: z.iso.time({ precision: -1 }).meta({
    description: 'Wall-clock end. May lie past midnight: `ends_at` decides.',
    examples: ['10:15'],
  }),
  starts_at: startsAt,
  ends_at: localInstant.meta({
    description: 'End as RFC 3339 with the offset of the location.',
    examples: ['2026-09-14T10:15:00+02:00'],
  }),
  time_zone: z.string().meta({ description: 'IANA time zone of the location.', examples: ['Europe/Berlin'] }),
};
