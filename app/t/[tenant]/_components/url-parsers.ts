import { createParser } from 'nuqs/server';

/** Characters that no valid value contains: control characters and lone surrogates. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

/** Parses free text. Truncates the text to `maxLength` characters. */
export function parseAsText(maxLength = 200) {
  return createParser<string>({
    parse: (value) => {
      const text = value.slice(0, maxLength);
      return text === '' || UNSTORABLE.test(text) ? null : text;
    },
    serialize: String,
  });
}

/** Returns a parser that accepts only text that matches a pattern. */
export function parseAsPattern(pattern: RegExp) {
  return createParser<string>({ parse: (value) => (pattern.test(value) ? value : null), serialize: String });
}

/** Parses the cursor of a list that is ordered by time and id. */
export const parseAsCursor = parseAsPattern(/^(?!0000)\d{4}-[\dT:.-]{18}Z_[a-z]{3}_[0-9a-z]{26}$/);

/** Parses a calendar date in the format `YYYY-MM-DD`, from the year 1900 on. */
export const parseAsDate = createParser<string>({
  parse: (value) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(value) || value < '1900') return null;
    const time = Date.parse(`${value}T00:00:00Z`);
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : null;
  },
  serialize: String,
});

/** Parses a flag: `1` is on, every other value is off. */
export const parseAsFlag = createParser<boolean>({
  parse: (value) => value === '1',
  serialize: (value) => (value ? '1' : '0'),
}).withDefault(false);

/** Parses a page number from 1 to `last`. */
export function parseAsPage(last: number) {
  return createParser<number>({
    parse: (value) => {
      const page = Number(value);
      return Number.isInteger(page) && page >= 1 && page <= last ? page : null;
    },
    serialize: String,
  }).withDefault(1);
}
