import { z } from 'zod';
import { STATUSES } from '@/lib/booking/bookings/list-filter';
import { outputTime } from '../inputs';

/** A record of the catalog, or an application. */
export const named = z.strictObject({ id: z.string(), name: z.string() });

/** The status of a booking. */
export const status = z.enum(STATUSES);

const minute = z.int().min(0);

const guest = z.strictObject({
  reference: z.string(),
  status,
  version: z.int(),
  external_reference: z.string(),
  application_name: z.string(),
  movable: z.boolean(),
});

const hours = { start_minute: minute, end_minute: minute, start_time: z.string(), end_time: z.string() };

/** The bookings of one day at one location. */
export const day = z.strictObject({
  date: z.string(),
  time_zone: z.string(),
  location: named,
  midnight: outputTime,
  from_minute: minute,
  to_minute: minute,
  opening: z.array(z.strictObject(hours)),
  ticks: z.array(z.strictObject({ minute, label: z.string() })),
  columns: z.array(
    z.strictObject({
      specialist: named,
      working: z.array(z.strictObject(hours)),
      blocks: z.array(
        z.strictObject({
          ...hours,
          date: z.string(),
          service: named,
          seats: z.strictObject({ taken: z.int(), capacity: z.int() }),
          guests: z.array(guest),
        }),
      ),
    }),
  ),
  cancelled: z.int(),
  truncated: z.boolean(),
});
