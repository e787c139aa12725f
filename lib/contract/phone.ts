import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Matches parentheses and brackets. */
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

/**
 * Returns the number without the digits that are dialed only inside the country, as in `+44 (0)20` and `+36 (06) 1`. In
 * some countries, such as Italy, the zero is a digit of the number.
 */
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
