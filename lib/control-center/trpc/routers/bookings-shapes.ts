import { z } from 'zod';
import { STATUSES } from '@/lib/booking/bookings/list-filter';
import { OUTSIDE_REASONS } from '@/lib/booking/catalog/edit/outside';
import { price } from '@/lib/contract/catalog';
import { outputTime } from '../inputs';
import { blockShape } from './blocks';

export const named = z.strictObject({ id: z.string(), name: z.string() });

export const overlappingBooking = z.strictObject({
  reference: z.string(),
  date: z.string(),
  start_time: z.string(),
  service: z.string(),
});

export const status = z.enum(STATUSES);

/** See `BookingTerms`. */
const terms = { price: price.nullable(), change_deadline: z.string().nullable(), has_note: z.boolean() };

export const summaryFields = {
  reference: z.string(),
  status,
  version: z.int(),
  date: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  time_zone: z.string(),
  external_reference: z.string(),
  created_at: outputTime,
  service: named,
  specialist: named,
  location: named,
  /** Null for a booking of the business. */
  application: named.nullable(),
};

/** A booking of a list, without the customer's contact details. */
export const summary = z.strictObject({ ...summaryFields, ...terms });

const minute = z.int().min(0);

const booking = z.strictObject({
  reference: z.string(),
  status,
  version: z.int(),
  external_reference: z.string(),
  application_name: z.string().nullable(),
  movable: z.boolean(),
  outside: z.enum(OUTSIDE_REASONS).nullable(),
  ...terms,
});

const hours = { start_minute: minute, end_minute: minute, start_time: z.string(), end_time: z.string() };

const place = { time_zone: z.string(), location: named, truncated: z.boolean() };

const axis = {
  from_minute: minute,
  to_minute: minute,
  ticks: z.array(z.strictObject({ minute, label: z.string() })),
};

const dayBody = {
  date: z.string(),
  midnight: outputTime,
  clock: z.strictObject({
    minutes: z.int(),
    periods: z.array(z.strictObject({ from_minute: z.int(), local_minute: z.int() })),
  }),
  opening: z.array(z.strictObject(hours)),
  columns: z.array(
    z.strictObject({
      specialist: named,
      working: z.array(z.strictObject(hours)),
      blocked: z.array(z.strictObject({ ...hours, block: blockShape })),
      blocks: z.array(
        z.strictObject({
          ...hours,
          date: z.string(),
          service: named,
          seats: z.strictObject({ taken: z.int(), capacity: z.int() }),
          bookings: z.array(booking),
        }),
      ),
    }),
  ),
  cancelled: z.int(),
};

export const day = z.strictObject({ ...place, ...axis, ...dayBody });

export const week = z.strictObject({ ...place, ...axis, days: z.array(z.strictObject(dayBody)) });
