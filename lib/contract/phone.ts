import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Matches what separates the digits of a written phone number: spaces, dots, dashes, and parentheses of any script,
 * and the invisible characters that phones and chat programs add. Tabs, line breaks, and slashes do not match.
 */
const SEPARATORS = /[\p{Zs}\p{Pd}\p{Cf}\u2212\u30fc.·・()[\]]/gu;

/** How people write a trunk prefix that is dialed only inside the country, as in `+44 (0)20`. */
const TRUNK_PREFIX = /\([\p{Zs}\p{Cf}]*0[\p{Zs}\p{Cf}]*\)/u;

/**
 * Returns a written phone number as `+` and 7 to 15 digits, or null if it is not in international format (contract B7).
 * The length of `text` must be bounded.
 */
export function normalizePhone(text: string): string | null {
  const plain = text.normalize('NFKC');
  const [before = '', after, ...more] = plain.split(TRUNK_PREFIX).map((part) => part.replaceAll(SEPARATORS, ''));
  // Which of several zeros belong to the number is unknown. A guess could be the number of another person.
  if (more.length > 0) return null;
  const hasTrunkPrefix = after !== undefined && /^\+[1-9]\d{0,2}$/.test(before);
  const number = hasTrunkPrefix ? withoutTrunkPrefix(before, after) : plain.replaceAll(SEPARATORS, '');
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : null;
}

// In some countries, such as Italy, the zero is a digit of the number.
function withoutTrunkPrefix(code: string, rest: string): string {
  const withZero = `${code}0${rest}`;
  const parsed = parsePhoneNumberFromString(withZero);
  return parsed?.isValid() && parsed.number === withZero ? withZero : `${code}${rest}`;
}

/**
 * Returns the digits of a written phone number without a country code, or null if the text contains anything but 6 to
 * 20 digits and separators. The length of `text` must be bounded.
 */
export function normalizeNational(text: string): string | null {
  const digits = text.normalize('NFKC').replaceAll('/', '').replaceAll(SEPARATORS, '');
  return /^\d{6,20}$/.test(digits) ? digits : null;
}
