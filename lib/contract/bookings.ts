import { z } from 'zod';
import { calendarDate, clockTime, EXAMPLE_IDS, idOf, issuedId } from './common';
import { instant, times } from './times';

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
    examples: ['order-4711'],
    maxLength: 128,
  });

const customerName = text('must be text')
  .trim()
  .min(1, 'must have 1 to 200 characters')
  .max(800, 'must have 1 to 200 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')
  .refine((value) => length(value) <= 200, 'must have 1 to 200 characters')
  .meta({ description: 'Who comes.', examples: ['Robin Sample'], maxLength: 200 });

/** Normalised: without spaces, dots, dashes and parentheses (contract B7). No numbering-plan check. */
const customerPhone = text('must be text')
  .max(60, 'must start with + and a country code')
  .meta({
    description: 'International, starts with +. Spaces, dots, dashes and parentheses are removed.',
    examples: ['+49 30 5550 1234'],
  })
  .transform((value) => value.replaceAll(/[ .()-]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must start with + and a country code, 7 to 15 digits in all'));

const consent = z
  .literal(true, { error: (issue) => (issue.input === undefined ? 'is required' : 'must be true') })
  .meta({ description: 'Explicit consent to be contacted; its moment is kept.', examples: [true] });

const SPECIALIST = 'With whom; left out, the service assigns somebody who is free.';

/** Body of `POST /bookings`: exactly one service (contract A, B7). */
export const createBookingBody = z.strictObject({
  service_id: idOf('service', 'From a catalog read.'),
  location_id: idOf(
    'location',
    'Where. May be left out if the service is offered at exactly one of your locations.',
  ).optional(),
  specialist_id: idOf('specialist', SPECIALIST).optional(),
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
  .meta({ description: 'The version that you read last.', examples: [1] });

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
  specialist_id: idOf(
    'specialist',
    'With whom; left out, the same specialist if free, else somebody who is.',
  ).optional(),
});

/** The states of a booking; the last three are final (contract B7). */
export const bookingStatus = z.enum(['confirmed', 'cancelled', 'completed', 'no_show']);

/** Reference of a booking: `pbr_` and 26 base32 characters, telling neither time nor order (contract B1). */
export const bookingReference = z
  .string()
  .regex(/^pbr_[0-9a-hjkmnp-tv-z]{26}$/)
  .meta({ description: 'Names the booking in every later call.', examples: [EXAMPLE_IDS.booking] });

const changedAt = (description: string) => instant.nullable().meta({ description, examples: [null] });

/** A booking as create, read and actions return it (contract B7). */
export const booking = z.strictObject({
  reference: bookingReference,
  version: z
    .int()
    .min(1)
    .meta({ description: 'Starts at 1 and rises by 1 with every change.', examples: [1] }),
  status: bookingStatus.meta({ description: 'All but `confirmed` are final.', examples: ['confirmed'] }),
  service_id: issuedId('service'),
  location_id: issuedId('location'),
  specialist_id: issuedId('specialist'),
  ...times,
  external_reference: z.string().meta({ description: 'Your own reference.', examples: ['order-4711'] }),
  customer: z.strictObject({
    name: z
      .string()
      .nullable()
      .meta({ description: 'Null once anonymised.', examples: ['Robin Sample'] }),
    phone_masked: z
      .string()
      .nullable()
      .meta({ description: 'Country code and last three digits; null once anonymised.', examples: ['+49*******234'] }),
  }),
  cancellable: z.boolean().meta({ description: 'Whether you may cancel it now.', examples: [true] }),
  reschedulable: z.boolean().meta({ description: 'Whether you may reschedule it now.', examples: [true] }),
  change_deadline: instant.nullable().meta({
    description: 'Until when you may change it, included; null in a final state.',
    examples: ['2026-09-13T07:30:00Z'],
  }),
  cancelled_at: changedAt('When it was cancelled.'),
  cancelled_by: z
    .enum(['partner', 'owner'])
    .nullable()
    .meta({ description: 'Who cancelled it.', examples: [null] }),
  created_at: instant.meta({ description: 'When it was made.', examples: ['2026-09-01T08:00:00Z'] }),
  updated_at: instant.meta({ description: 'When it last changed.', examples: ['2026-09-01T08:00:00Z'] }),
});

/** Data of every answer that holds a booking. */
export const bookingData = z.strictObject({ booking });

/** A booking as the partner sees it. */
export type BookingRecord = z.infer<typeof booking>;
