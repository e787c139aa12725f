import type { SearchedPhone } from '../types';

/** Invisible format characters, which phones and chat programs add to numbers. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Reads a text that consists of a phone number with a plus sign and the country code (contract B7). Returns the number,
 * or null for any other text. The server normalizes the number. `readNational` reads numbers without a country code.
 */
export function readPhone(text: string): string | null {
  const number = plain(text);
  return /^\(?\+[\d .()-]{7,58}$/.test(number) ? number : null;
}

/**
 * Reads a text that consists of a phone number without a country code. Returns the number, or null for any other text.
 * The number must have 6 to 20 digits, and either a leading zero or a separator other than a hyphen. Such a text can
 * also be an external reference.
 */
export function readNational(text: string): string | null {
  const number = plain(text);
  const digits = number.replaceAll(/\D/g, '').length;
  const isNumber = /^\(?(0|\d+[ .()])[\d .()-]*$/.test(number) && digits >= 6 && digits <= 20;
  return isNumber && number.length <= 40 ? number : null;
}

/** Returns the phone number to search by, or null if the text is not a phone number. */
export function readSearchedPhone(text: string): SearchedPhone | null {
  const phone = readPhone(text);
  if (phone !== null) return { phone };
  const national = readNational(text);
  return national === null ? null : { national };
}

/** Returns the name to search by, or null if the text cannot be a name: it has a digit, or no word of two letters. */
export function readName(text: string): string | null {
  const name = text.normalize('NFC').replaceAll(INVISIBLE, '').trim();
  const isName = name.length <= 200 && /^[\p{L}\p{M}\s.,'’-]+$/u.test(name) && /\p{L}\p{M}*\p{L}/u.test(name);
  return isName ? name : null;
}

/** Examples of whole numbers. Non-breaking spaces keep each example on one line. */
export const EXAMPLE_NUMBERS = {
  international: '+49\u00a030\u00a05550\u00a01234',
  national: '030\u00a05550\u00a01234',
};

/** Returns whether the text looks like an incomplete phone number. */
export function isPartOfPhone(text: string): boolean {
  const number = plain(text);
  const digits = number.replaceAll(/\D/g, '').length;
  const isPart = /^\(?\+?[\d .()-]+$/.test(number) && digits >= 2 && digits <= 15;
  return isPart && readSearchedPhone(text) === null;
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\p{Pd}\u2212\u223c\u2053~\u2043\u30fc]/gu, '-')
    .replaceAll(/[\s/·・•‧∙⋅]+/g, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim()
    .replace(/^tel: ?/i, '');
}
