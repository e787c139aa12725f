/*
 * The optional fields of a booking (contract B19). Lists, events, and logs contain none of them.
 */
import { z } from 'zod';
import { boundedText } from './bounded-text';
import { localeParameter } from './common';
import {
  isReadable,
  LANGUAGE_TAG,
  lengthOf,
  line,
  lines,
  MAX_INTEGER,
  shaped,
  UNREADABLE,
  WITHOUT_CONTROLS,
} from './text';

const EMAIL = 'must be an email address of ASCII characters';

/** RFC 5321, in characters. */
const MAX_EMAIL = 254;

const ADDRESS = /^[!-?A-~]{1,64}@[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+$/;

/** The customer's email address, which is kept as sent. Only its form is checked. */
export const customerEmail = boundedText(MAX_EMAIL, `must have at most ${MAX_EMAIL} characters`)
  .regex(ADDRESS, EMAIL)
  .meta({
    ...shaped(ADDRESS.source, MAX_EMAIL, 5),
    description: 'Email address of the customer. Only the business sees it in full.',
    examples: ['robin@example.com'],
  });

/** The language in which the customer reads, as a BCP 47 tag. */
export const customerLocale = localeParameter.meta({
  ...LANGUAGE_TAG,
  description: 'The language of the customer, a BCP 47 tag. `de_DE` is read as `de-DE`. It changes no response.',
  examples: ['de-DE'],
});

const NOTE = 'must have at most 500 characters, without control characters';

/** A text of several lines about a booking, without spaces around it. It can be empty. */
export const noteLines = boundedText(2_000, NOTE)
  .overwrite((text) => text.replaceAll('\r\n', '\n'))
  .trim()
  .refine((text) => lengthOf(text) <= 500 && text.split('\n').every((part) => WITHOUT_CONTROLS.test(part)), NOTE);

/** What the customer or the partner wants the business to know. */
export const bookingNote = noteLines
  .min(1, 'must have 1 to 500 characters')
  .refine(isReadable, UNREADABLE)
  .meta({
    ...lines(500),
    minLength: 1,
    description: 'What the business must know about this appointment. Only the business can read it.',
    examples: ['Arrives by wheelchair.'],
  });

const MAX_PAIRS = 20;
const MAX_VALUE = 200;

/** Starts with a letter, so that no name is `__proto__`, and so that the order of the names is kept. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

const NAMES = 'must have names of 1 to 40 letters, digits, _, -, or dots, with a letter first';
const VALUES = `must have texts of 1 to ${MAX_VALUE} characters as values, without control characters`;

const isValue = (value: unknown) =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= 2 * MAX_VALUE &&
  lengthOf(value) <= MAX_VALUE &&
  WITHOUT_CONTROLS.test(value);

/** Returns why a value is no metadata, or null. The message names neither a name nor a value (contract B3). */
function metadataIssue(given: unknown): string | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'must be an object';
  const pairs = Object.entries(given);
  if (pairs.length > MAX_PAIRS) return `must have at most ${MAX_PAIRS} pairs`;
  if (!pairs.every(([name]) => NAME.test(name))) return NAMES;
  if (!pairs.every(([, value]) => isValue(value))) return VALUES;
  return pairs.every(([, value]) => isReadable(value)) ? null : UNREADABLE;
}

/** Pairs of short texts that the partner gets back. Not `z.record`, which drops a pair named `__proto__` instead of refusing it. */
export const metadata = z
  .unknown()
  .meta({
    type: 'object',
    maxProperties: MAX_PAIRS,
    additionalProperties: { type: 'string', ...line(MAX_VALUE, 1) },
    propertyNames: { type: 'string', ...shaped(NAME.source, 40, 1) },
    description:
      'Up to 20 pairs of your own. Names have 1 to 40 letters, digits, `_`, `-`, or dots, with a letter first. Values have 1 to 200 characters. No contact data, credentials, or card numbers. The business sees them.',
    examples: [{ campaign: 'spring', basket: '4711' }],
  })
  .transform((given, context) => {
    const message = metadataIssue(given);
    // Clients send an empty object for a map without entries.
    if (message === null)
      return Object.keys(Object(given)).length === 0 ? undefined : (given as Record<string, string>);
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const WHERE = 'Not in lists.';

/** Contract B19. */
export const emailMasked = z
  .string()
  .meta(shaped('^.[*]{3}@.[*]{3}[.][A-Za-z0-9-]+$', 73, 9))
  .nullable()
  .optional()
  .meta({
    description: `First character of both parts, and the last label. Null if there is none, or after anonymization. ${WHERE}`,
    examples: ['r***@e***.com'],
  });

export const writtenLocale = z
  .string()
  .meta(LANGUAGE_TAG)
  .nullable()
  .optional()
  .meta({
    description: `The \`locale\` of the create. Null if there is none, or after anonymization. ${WHERE}`,
    examples: ['de-DE'],
  });

export const noteCharacters = z
  .int()
  .min(1)
  .max(MAX_INTEGER)
  .nullable()
  .optional()
  .meta({
    description: `Length of the \`note\` of the create, whose text is never returned. Null if there is none, or after anonymization. ${WHERE}`,
    examples: [22],
  });

export const writtenMetadata = z
  .record(z.string().meta(shaped(NAME.source, 40, 1)), z.string().meta(line(MAX_VALUE, 1)))
  .meta({ maxProperties: MAX_PAIRS })
  .nullable()
  .optional()
  .meta({
    description: `The \`metadata\` of the create. Null if there is none, or after anonymization. ${WHERE}`,
    examples: [{ campaign: 'spring', basket: '4711' }],
  });
