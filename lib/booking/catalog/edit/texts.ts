import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { REPLACEMENT, UNREADABLE, VISIBLE } from '@/lib/contract/text';
import { containsSecret } from '@/lib/platform/text/secret';
import type { Languages } from '../records';

/** Of all languages together, as stored in `jsonb`. */
const SHORT_BYTES = 16_384;
/** Of all languages together, as stored in `jsonb`. */
const LONG_BYTES = 65_536;

/** Control characters, lone surrogates, and line and paragraph separators. `NOT_IN_TEXT` allows tabs and line breaks. */
const NOT_IN_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const NOT_IN_TEXT = /[^\P{Cc}\n\r\t]|[\p{Cs}\p{Zl}\p{Zp}]/u;

const MAX_KEPT = 50;

/** Keeps the schema of each set of languages. To build one takes several milliseconds. */
export function perLanguages<Schema extends object>(build: (languages: Languages) => Schema) {
  const kept = new LRUCache<string, Schema>({ max: MAX_KEPT });
  return (languages: Languages): Schema => {
    const key = [languages.defaultLocale, ...languages.locales].join();
    const schema = kept.get(key) ?? build(languages);
    kept.set(key, schema);
    return schema;
  };
}

/** Returns zod's `error` option, with a message that does not contain the value. */
export const must =
  (what: string) =>
  (issue: { input?: unknown }): string =>
    issue.input === undefined ? 'is required' : `must be ${what}`;

/** Returns the schema for a text of 1 to `max` characters. `lines` allows several lines. */
export function plainText(max: number, lines = false) {
  return (
    boundedText(max, `must be at most ${max} characters`, must('text'))
      .refine((text) => text.trim() !== '', { message: 'must not be empty', abort: true })
      .refine((text) => VISIBLE.test(text), 'must contain a visible character')
      .refine((text) => !text.includes(REPLACEMENT), UNREADABLE)
      .refine((text) => !(lines ? NOT_IN_TEXT : NOT_IN_LINE).test(text), 'must not contain control characters')
      // The audit log would reject the change without naming the field.
      .refine((text) => !containsSecret(text), 'must not contain an API key or a secret')
  );
}

/** Returns the schema of a whole number from `least` to `greatest`. */
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
    .refine((texts) => storedBytes(texts) <= bytes, 'exceeds the size limit for all languages together')
    .transform((texts) => texts as Record<string, string>);
}

/** PostgreSQL writes a space after each colon and comma. */
function storedBytes(texts: Record<string, unknown>): number {
  return Buffer.byteLength(JSON.stringify(texts)) + 2 * Object.keys(texts).length;
}

/** Returns the schema for a name in the tenant's languages. The default language is required. */
export const nameIn = (languages: Languages) => translated(languages, 200, SHORT_BYTES, false);

/** Returns the schema for a description in the tenant's languages. The default language is required. */
export const descriptionIn = (languages: Languages) => translated(languages, 20_000, LONG_BYTES, true);
