import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { z } from 'zod';
import { boundedText } from './bounded-text';
import { CANCEL_REASONS } from './cancel-reasons';
import { price } from './catalog';
import { calendarDate, clockTime, EXAMPLE_IDS, idOf, issuedId, optional, requiredOr } from './common';
import {
  bookingNote,
  customerEmail,
  customerLocale,
  emailMasked,
  metadata,
  noteCharacters,
  writtenLocale,
  writtenMetadata,
} from './optional-fields';
import {
  isReadable,
  lengthOf,
  line,
  MAX_INTEGER,
  REFERENCE_PATTERN,
  shaped,
  UNREADABLE,
  VISIBLE,
  WITHOUT_CONTROLS,
} from './text';
import { instant, times } from './times';

const text = (max: number, message: string) => boundedText(max, message, requiredOr('must be text'));

/** A partner's own reference of a booking, as it is searched. */
export const externalReference = text(512, 'must have 1 to 128 printable characters')
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, 'must have 1 to 128 printable characters')
  .refine((value) => lengthOf(value) <= 128, 'must have 1 to 128 printable characters')
  .meta({
    description:
      'Your own reference, such as an order number, ticket number, or UUID. Must not contain customer data, credentials, or other sensitive values. A standalone number that looks like a card number is refused, even if it is not a card number.',
    examples: ['order-4711'],
    ...line(128, 1),
  });

/** A partner's own reference for a new booking. lib/booking also checks it for sensitive values (contract B7). */
const newReference = externalReference.refine(isReadable, UNREADABLE);

/** A customer's full name. */
export const customerName = text(800, 'must have 1 to 200 characters')
  .trim()
  .min(1, 'must have 1 to 200 characters')
  .regex(WITHOUT_CONTROLS, 'must not contain control characters')
  .refine(isReadable, UNREADABLE)
  .refine((value) => lengthOf(value) <= 200, 'must have 1 to 200 characters')
  .refine((value) => VISIBLE.test(value), 'must contain a visible character')
  .meta({ description: 'Full name of the customer.', examples: ['Robin Sample'], ...line(200, 1) });

const PHONE = 'must start with + and a country code, and have 7 to 15 digits';
const PREFIX = 'must be written without digits that are dialed only inside the country, such as (0)';

/** A phone number, normalized to `+` and its digits (contract B7). Numbering plans are not checked. */
export const phoneNumber = text(60, PHONE)
  .meta({
    ...shaped('^[^A-Za-z]*$', 60, 8),
    description:
      'In international format: `+`, a country code, and the rest of the number. Has 7 to 15 digits, including the country code. Spaces, dots, dashes, parentheses, and invisible characters are removed, and so is the trunk prefix in `+44 (0)20` or `+36 (06) 1`.',
    examples: ['+49 30 23125 234'],
  })
  .transform((value, context) => {
    const number = normalizePhone(value);
    if (number === null) {
      const isPrefix = normalizePhone(value.replaceAll(/[()[\]（）［］]/g, ' ')) !== null;
      context.addIssue({ code: 'custom', message: isPrefix ? PREFIX : PHONE });
    }
    return number ?? z.NEVER;
  });

const consent = z
  .literal(true, { error: requiredOr('must be true') })
  .meta({ description: 'Explicit consent to be contacted. The time of consent is stored.', examples: [true] });

/** Returns the schema of a label of the partner's own consent records, such as `checkout` or `2026-05`. */
function consentLabel(description: string, example: string) {
  const message = 'must have 1 to 100 letters, digits, spaces, or . _ : / -';
  const label = text(100, message)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._:/-]*$/, message)
    .meta({ ...shaped('^[A-Za-z0-9][A-Za-z0-9 ._:/-]*$', 100, 1), description, examples: [example] });
  return optional(label);
}

const SPECIALIST = 'The specialist. By default, an available specialist is assigned.';

/** Body of `POST /bookings` (contract A, B7). A booking is always for exactly one service. */
export const createBookingBody = z.strictObject({
  service_id: idOf('service', 'The service, from the catalog.'),
  location_id: optional(
    idOf('location', 'The location. Optional if the service is offered at exactly one of your locations.'),
  ),
  specialist_id: optional(idOf('specialist', SPECIALIST)),
  date: calendarDate,
  start_time: clockTime,
  external_reference: newReference,
  customer: z.strictObject({
    name: customerName,
    phone: phoneNumber,
    consent_to_contact: consent,
    consent_source: consentLabel('Where the customer gave consent, such as `checkout` or `phone`.', 'checkout'),
    consent_text_version: consentLabel('The version of the text to which the customer consented.', '2026-05'),
    email: optional(customerEmail),
    locale: optional(customerLocale),
  }),
  note: optional(bookingNote),
  metadata: optional(metadata),
});

const expectedVersion = z
  .int({ error: requiredOr('must be a whole number from 1 to 2147483647') })
  .min(1, 'must be a whole number from 1 to 2147483647')
  .max(MAX_INTEGER, 'must be a whole number from 1 to 2147483647')
  .meta({ description: 'The version of the booking that you last read.', examples: [1] });

/** Body of the `cancel` action (contract B7). */
export const cancelBody = z.strictObject({
  expected_version: expectedVersion,
  reason: optional(z.enum(CANCEL_REASONS, { error: 'must be customer_request, duplicate, or other' })),
});

/** Body of the `reschedule` action (contract B7). The service and the location of a booking cannot change. */
export const rescheduleBody = z.strictObject({
  expected_version: expectedVersion,
  date: calendarDate,
  start_time: clockTime,
  specialist_id: optional(
    idOf(
      'specialist',
      'The specialist. By default, the current specialist if available, otherwise another specialist.',
    ),
  ),
});

/** The statuses of a booking (contract B7). All except `confirmed` are final. */
export const bookingStatus = z.enum(['confirmed', 'cancelled', 'completed', 'no_show']);

/** Reference of a booking: `pbr_` and 26 random base32 characters, which reveal nothing about time or order (contract B1). */
export const bookingReference = boundedText(30)
  .regex(new RegExp(REFERENCE_PATTERN))
  .meta({ description: 'Identifies the booking in later requests.', examples: [EXAMPLE_IDS.booking] });

const changedAt = (description: string) => instant.nullable().meta({ description, examples: [null] });

/** A booking as partners see it (contract B7). */
export const booking = z.strictObject({
  reference: bookingReference,
  version: z
    .int()
    .min(1)
    .max(MAX_INTEGER)
    .meta({ description: 'Starts at 1 and increases by 1 with every change.', examples: [1] }),
  status: bookingStatus.meta({ description: 'Every status except `confirmed` is final.', examples: ['confirmed'] }),
  service_id: issuedId('service'),
  location_id: issuedId('location'),
  specialist_id: issuedId('specialist'),
  ...times,
  external_reference: z
    .string()
    .meta({ ...line(128, 1), description: 'Your own reference.', examples: ['order-4711'] }),
  // Optional, because a replay returns a response that an earlier version stored without it.
  price: price.nullable().optional().meta({
    description:
      'The price of the service when the booking was created, for one seat. It never changes. Null if the service had no public price, or if the booking is older than this field. Only the replay of a response that is older than this field lacks it.',
  }),
  customer: z.strictObject({
    name: z
      .string()
      .meta(line(200, 1))
      .nullable()
      .meta({ description: 'Null after anonymization.', examples: ['Robin Sample'] }),
    phone_masked: z
      .string()
      .meta(shaped('^\\+[0-9*]+$', 16, 2))
      .nullable()
      .meta({
        description: 'Country code and last three digits. Null after anonymization.',
        examples: ['+49*******234'],
      }),
    email_masked: emailMasked,
    locale: writtenLocale,
  }),
  cancellable: z.boolean().meta({ description: 'Whether you may cancel the booking now.', examples: [true] }),
  reschedulable: z.boolean().meta({ description: 'Whether you may reschedule the booking now.', examples: [true] }),
  change_deadline: instant.nullable().meta({
    description: 'The last time at which you may change the booking, inclusive. Null if the status is final.',
    examples: ['2026-09-13T07:30:00.000Z'],
  }),
  cancelled_at: changedAt('When the booking was canceled.'),
  cancelled_by: z
    .enum(['partner', 'owner'])
    .nullable()
    .meta({ description: 'Who canceled the booking.', examples: [null] }),
  created_at: instant.meta({ description: 'When the booking was created.', examples: ['2026-09-01T08:00:00.000Z'] }),
  updated_at: instant.meta({ description: 'When the booking last changed.', examples: ['2026-09-01T08:00:00.000Z'] }),
  note_characters: noteCharacters,
  metadata: writtenMetadata,
});

/** Data of the responses with exactly one booking. */
export const bookingData = z.strictObject({ booking });

export type BookingRecord = z.infer<typeof booking>;

const BRACKETS = /[()[\]]/g;

/**
 * Matches what else separates the digits of a written phone number: spaces, dots, and dashes of any script, and the
 * invisible characters that phones and chat programs add. Tabs, line breaks, and slashes do not match.
 */
const SEPARATORS = /[\p{Zs}\p{Pd}\p{Cf}\p{Default_Ignorable_Code_Point}\u2212\u223c\u2053~\u2043\u30fc.·・•‧∙⋅]/gu;

/**
 * Returns a written phone number as `+` and 7 to 15 digits, or null if it is not in international format (contract B7).
 * Also returns null if it is uncertain whether digits in parentheses belong to the number: a guess could be the number of
 * another person. The length of `text` must be bounded.
 */
export function normalizePhone(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replaceAll(SEPARATORS, '')
    .replace(/^[([](\+\d+)[)\]]|^\+[([](\d+)[)\]]/, (_, plus, digits) => plus ?? `+${digits}`);
  const [, code = '', inner = '', rest = ''] = /^(\+[1-9]\d{0,2})[([](\d+)[)\]](.*)$/.exec(plain) ?? [];
  if (/[([]0[)\]]/.test(code === '' ? plain : rest)) return null;
  const number = code === '' ? plain.replaceAll(BRACKETS, '') : withoutTrunkPrefix(code, inner, rest);
  return number !== null && /^\+[1-9]\d{6,14}$/.test(number) ? number : null;
}

/** As in `+44 (0)20` and `+36 (06) 1`. In some countries, such as Italy, the zero is a digit of the number. */
function withoutTrunkPrefix(code: string, inner: string, rest: string): string | null {
  const written = `${code}${inner}${rest.replaceAll(BRACKETS, '')}`;
  const parsed = parsePhoneNumberFromString(written);
  if (parsed?.isValid()) {
    const removed = written.length - parsed.number.length;
    const isPrefix = removed <= inner.length && parsed.number === code + written.slice(code.length + removed);
    if (isPrefix) return parsed.number;
  }
  // A synthetic number is not valid. A zero alone is a trunk prefix nearly everywhere.
  if (inner === '0') return code + written.slice(code.length + 1);
  return inner.startsWith('0') ? null : written;
}

/**
 * Returns the digits of a written phone number without a country code, or null if the text contains anything but 6 to
 * 20 digits and separators. The length of `text` must be bounded.
 */
export function normalizeNational(text: string): string | null {
  const digits = text.normalize('NFKC').replaceAll('/', '').replaceAll(SEPARATORS, '').replaceAll(BRACKETS, '');
  return /^\d{6,20}$/.test(digits) ? digits : null;
}
