import { z } from 'zod';
import { calendarDate, cursorParameter, idOf, issuedId, limitParameter, nextCursor } from './common';
import { MAX_RECORDS, TIME_ZONE, WORD } from './text';
import { instant, localDate, localStart, startsAt } from './times';

/** Query of `GET /availability/explain` (contract B18). */
export const explainQuery = z.strictObject({
  service_id: idOf('service', 'The service to explain.'),
  date: calendarDate.meta({ description: "The day, in the location's time zone." }),
  location_id: idOf(
    'location',
    'The location. Optional if the service is offered at exactly one of your locations.',
  ).optional(),
  specialist_id: idOf('specialist', 'Only this specialist. By default, all who offer the service there.').optional(),
  limit: limitParameter(96, 48),
  cursor: cursorParameter.optional(),
});

const reason = (what: string) =>
  z
    .string()
    .meta(WORD)
    .nullable()
    .meta({
      description: `${what} The reasons are those of a refused create, and more may be added.`,
      examples: ['outside_schedule'],
    });

const explainedStart = z.strictObject({
  start_time: localStart,
  starts_at: startsAt.nullable().meta({ description: 'Null if the local time does not exist on this date.' }),
  reason: reason('Why a create would be refused with this start now. Null if the start can be booked.'),
  specialists: z
    .array(
      z.strictObject({
        specialist_id: issuedId('specialist'),
        reason: reason('The same with this specialist alone.'),
      }),
    )
    .max(MAX_RECORDS)
    .meta({ description: 'Ordered by id. Empty if no published specialist offers the service there.' }),
});

/** Data of `GET /availability/explain`: the starts of the grid on one day, ordered. */
export const explainData = z.strictObject({
  starts: z.array(explainedStart).max(96),
  service_id: issuedId('service'),
  location_id: issuedId('location'),
  date: localDate,
  time_zone: z
    .string()
    .meta({ ...TIME_ZONE, description: 'IANA time zone of the location.', examples: ['Europe/Berlin'] }),
  bookable_from: instant.meta({
    description: 'The earliest start that the lead time of the service allows now.',
    examples: ['2026-09-01T09:00:00.000Z'],
  }),
  bookable_until: instant.meta({
    description: 'The latest start that the horizon of the service allows now.',
    examples: ['2026-10-31T08:00:00.000Z'],
  }),
  next_cursor: nextCursor,
});
