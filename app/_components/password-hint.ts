import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';

const { min } = PASSWORD_LENGTH;

/** The description of a field for a new password. */
export const PASSWORD_HINT = `At least ${min} characters. A phrase of several words is easy to remember.`;

/** Returns an error message if a new password is too short, otherwise null. Only the server checks the other rules. */
export function passwordError(password: string): string | null {
  return [...password].length >= min ? null : `Use ${min} characters or more.`;
}
