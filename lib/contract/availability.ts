import { z } from 'zod';
import {
  answerTokenField,
  calendarDate,
  cursorParameter,
  daysBetween,
  idOf,
  issuedId,
  issuedIds,
  limitParameter,
  localeParameter,
  minTokenParameter,
  nextCursor,
} from './common';
import { MAX_RECORDS } from './text';
import { times } from './times';

/** Maximum number of days by which `date_to` may be later than `date` (contract B6). */
export const MAX_DAYS = 30;

/** Query of `GET /availability` (contract B6). */
export const availabilityQuery = z
  .strictObject({
    service_id: idOf('service', 'The service to find slots for.'),
    date: calendarDate.meta({ description: "First day, in the location's time zone." }),
    location_id: idOf(
      'location',
      'The location. Optional if the service is offered at exactly one of your locations.',
    ).optional(),
    specialist_id: idOf(
      'specialist',
      'Only slots with this specialist. By default, slots with any specialist.',
    ).optional(),
    date_to: calendarDate
      .meta({
        description: `Last day, inclusive; at most ${MAX_DAYS} days after \`date\`. By default, equal to \`date\`.`,
      })
      .optional(),
    exclude_reference: idOf(
      'booking',
      'For a reschedule: one of your active bookings, whose time is treated as free. The booking must be for this service and location. Also requires `booking.manage`.',
    ).optional(),
    locale: localeParameter.optional(),
    limit: limitParameter(96, 48),
    cursor: cursorParameter.optional(),
    min_token: minTokenParameter.optional(),
  })
  .check((context) => {
    const { date, date_to: dateTo } = context.value;
    if (dateTo === undefined) return;
    const days = daysBetween(date, dateTo);
    if (days >= 0 && days <= MAX_DAYS) return;
    const message = `must be the same day as date or up to ${MAX_DAYS} days later`;
    context.issues.push({ code: 'custom', path: ['date_to'], message, input: dateTo });
  });

export const slot = z.strictObject({
  ...times,
  service_id: issuedId('service'),
  location_id: issuedId('location'),
  available_capacity: z
    .int()
    .min(1)
    .max(10_000 * MAX_RECORDS)
    .meta({ description: "Seats left, across all of this slot's specialists.", examples: [1] }),
  specialist_ids: issuedIds('specialist', 'The available specialists. The list contains at least one.').min(1),
});

/** Data of `GET /availability`: a page of slots, ordered by `starts_at`, one per start. */
export const availabilityData = z.strictObject({
  slots: z.array(slot).max(96),
  next_cursor: nextCursor,
  token: answerTokenField,
});
