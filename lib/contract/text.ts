/*
 * Patterns and lengths of strings in the OpenAPI document. Patterns use only syntax with the same meaning in JavaScript
 * (with and without the flag `u`), Python, Go, Java, and PHP: no `\p{…}`, `\d`, or `\u`. The server may be stricter: it
 * also refuses bidirectional controls in a name, and U+FFFD in any text (contract B7). "Keywords" below are `pattern`, `minLength`, and
 * `maxLength`.
 */

/** The characters of ids and references after the prefix: base32 without i, l, o, and u. */
const BASE32 = '[0-9a-hjkmnp-tv-z]';

/**
 * Characters that nobody sees, for a class of a regular expression: a blank Braille pattern, object, and note, and the
 * block of hieroglyph controls and blanks.
 */
export const BLANK_SYMBOLS = '\\u2800\\ufffc\\u{1d159}\\u{13430}-\\u{1345f}';

/** Matches a visible letter, digit, punctuation mark, or symbol. */
export const VISIBLE = new RegExp(
  `(?![\\p{Default_Ignorable_Code_Point}${BLANK_SYMBOLS}])[\\p{L}\\p{N}\\p{P}\\p{S}]`,
  'u',
);

/** The character with which a decoder replaces bytes that it cannot read. Text with it has lost letters. */
export const REPLACEMENT = '\ufffd';

/** The issue of a text with `REPLACEMENT`. */
export const UNREADABLE = 'must not contain U+FFFD, which stands for unreadable bytes';

/** Returns whether a text has no `REPLACEMENT`. */
export const isReadable = (text: string) => !text.includes(REPLACEMENT);

/** Returns the number of code points. */
export const lengthOf = (text: string) => [...text].length;

/**
 * Matches text without control characters, lone surrogates, line and paragraph separators, and bidirectional controls.
 * Bidirectional controls can make the characters of a name appear in an order that differs from the stored order
 * (contract B7).
 */
export const WITHOUT_CONTROLS = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;

/** Returns the pattern of an id with a prefix (contract B1). */
export const idPattern = (prefix: string) => `^${prefix}_[0-7]${BASE32}{25}$`;

/** The pattern of a booking reference (contract B1). */
export const REFERENCE_PATTERN = `^pbr_${BASE32}{26}$`;

/** Returns the JSON Schema keywords for a single-line string of at most `maxLength` characters. */
export const line = (maxLength: number, minLength = 0) => ({
  ...(minLength > 0 && { minLength }),
  maxLength,
  pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
});

/** Returns the JSON Schema keywords for a multi-line string of at most `maxLength` characters. */
export const lines = (maxLength: number) => ({
  maxLength,
  pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$',
});

/** Returns the JSON Schema keywords for a string that must match `pattern`. */
export const shaped = (pattern: string, maxLength: number, minLength = 0) => ({
  ...(minLength > 0 && { minLength }),
  maxLength,
  pattern,
});

/** The JSON Schema keywords of a cursor. */
export const CURSOR = shaped('^[A-Za-z0-9_-]+$', 400, 1);

/** The JSON Schema keywords of a token. */
export const TOKEN = shaped('^[A-Za-z0-9_-]+$', 64, 1);

/** The JSON Schema keywords of a language tag. Underscores count as hyphens (contract B4). */
export const LANGUAGE_TAG = shaped('^[A-Za-z]{1,8}([_-][A-Za-z0-9]{1,8})*$', 100, 1);

/** The JSON Schema keywords of a list of language tags. */
export const LANGUAGE_TAGS = shaped(
  '^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*(, [A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*)*$',
  2_048,
  1,
);

/** The JSON Schema keywords of an IANA time zone's name. */
export const TIME_ZONE = shaped('^[A-Z][A-Za-z0-9_+-]*(/[A-Z][A-Za-z0-9_+-]*)*$', 64, 1);

/** The JSON Schema keywords of a local time, `HH:MM`. */
export const CLOCK_TIME = shaped('^([01][0-9]|2[0-3]):[0-5][0-9]$', 5, 5);

/** The JSON Schema keywords of a machine-readable word, such as a code or a reason. */
export const WORD = shaped('^[a-z][a-z0-9_]*$', 40, 1);

/** Maximum number of records of one kind in a catalog. A list of ids in a response therefore has at most this many ids. */
export const MAX_RECORDS = 1_000;

export const MAX_INTEGER = 2_147_483_647;

/** Maximum sequence of an event: numbers of JSON are exact up to this limit. */
export const MAX_SEQUENCE = Number.MAX_SAFE_INTEGER;
