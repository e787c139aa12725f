import { z } from 'zod';
import { calendarDate, clockTime, recordId } from './common';

const text = (message: string) => z.string({ error: (issue) => (issue.input === undefined ? 'is required' : message) });

/** Characters as a reader counts them: one code point is one. */
const length = (value: string) => [...value].length;

/** 1..128 printable characters; what they must not hold is checked against the customer (contract B7). */
const externalReference = text('must be text')
  .max(512, 'must have 1 to 128 printable characters')
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'must have 1 to 128 printable characters')
  .refine((value) => length(value) <= 128, 'must have 1 to 128 printable characters')
  .meta({
    description: 'Your own reference. No customer data, credential or other sensitive value.',
    example: 'order-4711',
  });

const customerName = text('must be text')
  .trim()
  .min(1, 'must have 1 to 200 characters')
  .max(800, 'must have 1 to 200 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')
  .refine((value) => length(value) <= 200, 'must have 1 to 200 characters')
  .meta({ example: 'Robin Sample' });

/** Normalised: without spaces, dots, dashes and parentheses (contract B7). No numbering-plan check. */
const customerPhone = text('must be text')
  .max(60, 'must start with + and a country code')
  .transform((value) => value.replaceAll(/[ .()-]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must start with + and a country code, 7 to 15 digits in all'))
  .meta({ example: '+49 30 5550 1234' });

const consent = z
  .literal(true, { error: (issue) => (issue.input === undefined ? 'is required' : 'must be true') })
  .meta({ description: 'Explicit consent to be contacted; its moment is kept.' });

/** Body of `POST /bookings`: exactly one service (contract A, B7). */
export const createBookingBody = z.strictObject({
  service_id: recordId,
  location_id: recordId.optional(),
  specialist_id: recordId.optional(),
  date: calendarDate,
  start_time: clockTime,
  external_reference: externalReference,
  customer: z.strictObject({ name: customerName, phone: customerPhone, consent_to_contact: consent }),
});

const expectedVersion = z
  .int({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be a whole number from 1 to 2147483647'),
  })
  .min(1, 'must be a whole number from 1 to 2147483647')
  .max(2_147_483_647, 'must be a whole number from 1 to 2147483647')
  .meta({ description: 'The version that you read last.', example: 1 });

/** Body of the `cancel` action (contract B7). */
export const cancelBody = z.strictObject({
  expected_version: expectedVersion,
  reason: z
    .enum(['customer_request', 'duplicate', 'other'], { error: 'must be customer_request, duplicate or other' })
    .optional(),
});

/** Body of the `reschedule` action (contract B7); service and location are fixed. */
export const rescheduleBody = z.strictObject({
  expected_version: expectedVersion,
  date: calendarDate,
  start_time: clockTime,
  specialist_id: recordId.optional(),
});

/** The states of a booking; the last three are final (contract B7). */
export const bookingStatus = z.enum(['confirmed', 'cancelled', 'completed', 'no_show']);

const instant = z.iso.datetime();
const localInstant = z.iso.datetime({ offset: true });

/** A booking as create, read and actions return it (contract B7). */
export const booking = z.strictObject({
  reference: z.string().regex(/^pbr_[0-9a-hjkmnp-tv-z]{26}$/),
  version: z.int().min(1),
  status: bookingStatus,
  service_id: z.string(),
  location_id: z.string(),
  specialist_id: z.string(),
  date: z.iso.date(),
  start_time: z.iso.time({ precision: -1 }),
  end_time: z.iso.time({ precision: -1 }),
  starts_at: localInstant,
  ends_at: localInstant,
  time_zone: z.string(),
  external_reference: z.string(),
  customer: z.strictObject({ name: z.string().nullable(), phone_masked: z.string().nullable() }),
  cancellable: z.boolean(),
  reschedulable: z.boolean(),
  change_deadline: instant.nullable(),
  cancelled_at: instant.nullable(),
  cancelled_by: z.enum(['partner', 'owner']).nullable(),
  created_at: instant,
  updated_at: instant,
});

/** Data of every answer that holds a booking. */
export const bookingData = z.strictObject({ booking });

/** A booking as the partner sees it. */
export type BookingRecord = z.infer<typeof booking>;
