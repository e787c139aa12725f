import { boundedText } from '@/lib/contract/bounded-text';
import { containsSecret } from '@/lib/platform/text/secret';

/** RFC 5321. */
const MAX = 254;

/** Printable ASCII on both sides of the `@`. */
const ADDRESS = /^[!-?A-~]+@[!-?A-~]+$/;

/**
 * Only the basic form is checked, because only a delivered message proves an address. Other characters than ASCII could
 * look the same, or become the same in lowercase: that of the Kelvin sign (U+212A) is `k`.
 */
export const emailAddress = boundedText(1_000, `must be at most ${MAX} characters`)
  .trim()
  .min(3, 'must be an email address')
  .max(MAX, `must be at most ${MAX} characters`)
  .regex(ADDRESS, 'must be an email address of ASCII characters')
  // The audit log contains email addresses, and it must not contain credentials.
  .refine((text) => !containsSecret(text), 'must not contain an API key or a secret')
  .overwrite(lowerCase);

/** Only A to Z. */
function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns a typed address as it is stored. It is not checked: one that no account can have is only not found. */
export function typedAddress(text: string): string {
  return lowerCase(text.trim());
}

/** Returns an address that the OpenID provider has verified as it is stored, or null if it is not exactly ASCII. */
export function providerAddress(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX || !ADDRESS.test(text)) return null;
  return lowerCase(text);
}
