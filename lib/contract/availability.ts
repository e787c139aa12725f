import { z } from 'zod';
import {
  calendarDate,
  cursorParameter,
  daysBetween,
  EXAMPLE_IDS,
  idOf,
  issuedId,
  limitParameter,
  localeParameter,
  nextCursor,
} from './common';
import { times } from './times';

/** Days that `date_to` may lie after `date` (contract B6). */
const MAX_DAYS = 30;

/** Query of `GET /availability` (contract B6). */
export const availabilityQuery = z
  .strictObject({
    service_id: idOf('service', 'The service to find free times for.'),
    date: calendarDate.meta({ description: 'First day, in the zone of the location.' }),
    location_id: idOf(
      'location',
      'Where. May be left out if the service is offered at exactly one of your locations.',
    ).optional(),
    specialist_id: idOf('specialist', 'With whom; left out, with anybody.').optional(),
    date_to: calendarDate
      .meta({ description: `Last day, included; at most ${MAX_DAYS} days after \`date\`. Left out, \`date\` alone.` })
      .optional(),
    exclude_reference: idOf(
      'booking',
      'One of your own active bookings, treated as free: for a reschedule. Needs `booking.manage` too.',
    ).optional(),
    locale: localeParameter.optional(),
    limit: limitParameter(96, 48),
    cursor: cursorParameter.optional(),
  })
  .check((context) => {
    const { date, date_to: dateTo } = context.value;
    if (dateTo === undefined) return;
    const days = daysBetween(date, dateTo);
    if (days >= 0 && days <= MAX_DAYS) return;
    const message = `must be the same day as date or up to ${MAX_DAYS} days later`;
    context.issues.push({ code: 'custom', path: ['date_to'], message, input: dateTo });
  });

/** One free start (contract B6). */
export const slot = z.strictObject({
  ...times,
  service_id: issuedId('service'),
  location_id: issuedId('location'),
  available_capacity: z
    .int()
    .min(1)
    .meta({ description: 'Seats left, over all specialists of this slot.', examples: [1] }),
  specialist_ids: z
    .array(z.string())
    .min(1)
    .meta({ description: 'Who could do it.', examples: [[EXAMPLE_IDS.specialist]] }),
});

/** Data of `GET /availability`: one slot per start, ordered by `starts_at`. */
export const availabilityData = z.strictObject({ slots: z.array(slot), next_cursor: nextCursor });
