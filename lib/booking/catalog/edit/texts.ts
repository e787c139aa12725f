import { z } from 'zod';
import { containsSecret } from '@/lib/platform/text/secret';
import type { Languages } from '../records';

/** Bytes of a text in all languages, as the database holds it: names, and long ones. */
const SHORT_BYTES = 16_384;
const LONG_BYTES = 65_536;

/** Characters that no line of text has: PostgreSQL refuses the first, and pages show none of them. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}]/u;
const NOT_IN_A_TEXT = /[^\P{Cc}\n\r\t]|\p{Cs}/u;

/** Says what is missing or of the wrong type; what was sent is never repeated. */
export const must =
  (what: string) =>
  (issue: { input?: unknown }): string =>
    issue.input === undefined ? 'is required' : `must be ${what}`;

/** Returns the schema of a text of 1 to `max` characters; `lines` may have more than one line. */
export function plainText(max: number, lines = false) {
  return (
    z
      .string({ error: must('text') })
      .max(max, { message: `must be at most ${max} characters`, abort: true })
      .refine((text) => text.trim() !== '', 'must not be empty')
      .refine((text) => !(lines ? NOT_IN_A_TEXT : NOT_IN_A_LINE).test(text), 'must not have control characters')
      // The audit log refuses a change that holds one: said here at its field instead.
      .refine((text) => !containsSecret(text), 'must not contain an API key or a secret')
  );
}

/** Returns the schema of a whole number; PostgreSQL's own bounds where nothing else is said. */
export function wholeNumber(least: number, greatest: number) {
  const message = `must be a whole number from ${least} to ${greatest}`;
  return z
    .int({ error: (issue) => (issue.input === undefined ? 'is required' : message) })
    .min(least, message)
    .max(greatest, message);
}

function translated({ locales, defaultLocale }: Languages, max: number, bytes: number, lines: boolean) {
  const text = plainText(max, lines);
  const shape = Object.fromEntries(
    locales.map((locale) => [locale, locale === defaultLocale ? text : text.optional()] as const),
  );
  return z
    .strictObject(shape, { error: must('a text for each language') })
    .refine((texts) => storedBytes(texts) <= bytes, 'is too long in all languages together')
    .transform((texts) => texts as Record<string, string>);
}

/** Bytes of the text as `jsonb` writes it: with a space after every colon and comma. */
function storedBytes(texts: Record<string, unknown>): number {
  return Buffer.byteLength(JSON.stringify(texts)) + 2 * Object.keys(texts).length;
}

/** Returns the schema of a name in the tenant's languages, the default one required. */
export const nameIn = (languages: Languages) => translated(languages, 200, SHORT_BYTES, false);

/** Returns the schema of a longer text in the tenant's languages, the default one required. */
export const descriptionIn = (languages: Languages) => translated(languages, 20_000, LONG_BYTES, true);
