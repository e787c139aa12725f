import { boundedText } from '@/lib/contract/bounded-text';
import { containsSecret } from '@/lib/platform/text/secret';

/** Maximum number of characters of an address (RFC 5321). */
const MAX = 254;

/** Matches printable ASCII characters on both sides of the `@`. */
const ADDRESS = /^[!-?A-~]+@[!-?A-~]+$/;

/**
 * An email address in lowercase. Only its basic form is checked, because only a delivered message proves that an address
 * exists. Only ASCII characters are allowed. Otherwise, two addresses could look the same, or become the same in
 * lowercase: the lowercase of the Kelvin sign (U+212A) is `k`.
 */
export const emailAddress = boundedText(1_000, `must be at most ${MAX} characters`)
  .trim()
  .min(3, 'must be an email address')
  .max(MAX, `must be at most ${MAX} characters`)
  .regex(ADDRESS, 'must be an email address of ASCII characters')
  // The audit log contains email addresses, and it must not contain credentials.
  .refine((text) => !containsSecret(text), 'must not contain an API key or a secret')
  .overwrite(lowerCase);

/** Replaces the letters A to Z by lowercase letters. Does not change any other character. */
function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns an address that somebody typed as it is stored. Does not check it: an address that no account can have is only
 * looked up, and not found.
 */
export function typedAddress(text: string): string {
  return lowerCase(text.trim());
}

/**
 * Returns an address that the OpenID provider has verified as it is stored. Returns null if it is not exactly an ASCII
 * address, for example because of whitespace at an end.
 */
export function providerAddress(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX || !ADDRESS.test(text)) return null;
  return lowerCase(text);
}
