import { z } from 'zod';
import { calendarDate, cursorParameter, daysBetween, limitParameter, localeParameter, recordId } from './common';

/** Days that `date_to` may lie after `date` (contract B6). */
const MAX_DAYS = 30;

/** Query of `GET /availability` (contract B6). */
export const availabilityQuery = z
  .strictObject({
    service_id: recordId,
    date: calendarDate,
    location_id: recordId.optional(),
    specialist_id: recordId.optional(),
    date_to: calendarDate.optional(),
    exclude_reference: recordId.optional(),
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
  date: z.iso.date(),
  start_time: z.iso.time({ precision: -1 }),
  end_time: z.iso.time({ precision: -1 }),
  starts_at: z.iso.datetime({ offset: true }),
  ends_at: z.iso.datetime({ offset: true }),
  time_zone: z.string(),
  service_id: z.string(),
  location_id: z.string(),
  available_capacity: z.int().min(1),
  specialist_ids: z.array(z.string()).min(1),
});

/** Data of `GET /availability`: one slot per start, ordered by `starts_at`. */
export const availabilityData = z.strictObject({ slots: z.array(slot), next_cursor: z.string().nullable() });
