import type { Schema } from './document';

export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\r\nX-Injected: 1',
  '%00',
  '../../etc/passwd',
  "' OR 1=1--",
  '"><script>',
  '{{7*7}}',
  '\u0024{jndi:ldap://x}',
  '\u202e',
  '\ud800',
  '👩‍👩‍👧‍👦',
  'ﬀ①',
  '٣',
  '-1',
  '1e999',
  'NaN',
  'null',
  'true',
  '[object Object]',
  '__proto__',
  'x'.repeat(300),
  'é'.repeat(2_000),
];
export const HOSTILE_VALUES = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[[]]],
  ['x'],
  { x: 1 },
];
/** PostgreSQL has no year 0, and dates near the ends leave no room for the days around them. */
export const EXTREME_DATES = ['0000-01-01', '0001-01-01', '9999-12-31'];
/** Mostly invalid. */
export const HOSTILE_ESCAPES = [
  '%',
  '%0',
  '%zz',
  '%ff',
  '%c0%af',
  '%ed%a0%80',
  '%00',
  '%0d%0aX-Injected:1',
  '+',
  '%2f',
  '%u0041',
];

/** Returns values that violate a schema: outside its bounds, not whole, and enum words in another form. */
export function outOfBounds({ minimum, maximum, minLength, maxLength, enum: words }: Schema): unknown[] {
  const values: unknown[] = [];
  if (minimum !== undefined) values.push(minimum - 1, String(minimum - 1), minimum + 0.5);
  if (maximum !== undefined) values.push(maximum + 1, String(maximum + 1), maximum * 1e6);
  if (minLength) values.push('x'.repeat(minLength - 1));
  if (maxLength) values.push('x'.repeat(maxLength + 1), 'x'.repeat(maxLength * 20));
  for (const word of words ?? []) values.push(`${word} `, String(word).toUpperCase());
  return values;
}

/** Adds a marker (see `Variant`) to a text, an array, or an object. */
export function withMarker(value: unknown, marker: string): unknown {
  if (typeof value === 'string') return `${value}${marker}`;
  if (Array.isArray(value)) return [...value, marker];
  return typeof value === 'object' && value !== null ? { ...value, [marker]: marker } : value;
}

/** Returns random text of up to 40 characters, mostly ASCII. */
export const randomText = () =>
  String.fromCodePoint(...Array.from({ length: 1 + Math.floor(Math.random() * 40) }, randomPoint));

function randomPoint(): number {
  const point = Math.floor(Math.random() * (Math.random() < 0.7 ? 0x7f : 0x10ffff));
  return point >= 0xd800 && point <= 0xdfff ? 0x20 : point;
}
