/** Invisible format characters, which phones and chat programs add to numbers. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * Returns the text as a phone number that the server normalizes, or null if it is not one. A number starts with + and the
 * country code (contract B7). Digits without + are an external reference.
 */
export function readPhone(text: string): string | null {
  const number = text
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\s/]+/g, ' ')
    .replace(/^tel:/i, '')
    .trim();
  return /^\(?\+[\d .()-]{7,58}$/.test(number) ? number : null;
}
