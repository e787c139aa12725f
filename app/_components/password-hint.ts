import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import type { Translator } from './language';

const { min } = PASSWORD_LENGTH;

/** Returns the description of a field for a new password. */
export function passwordHint(t: Translator<'common.password'>): string {
  return t('hint', { min });
}

/** Returns an error message if a new password is too short, otherwise null. Only the server checks the other rules. */
export function passwordError(t: Translator<'common.password'>, password: string): string | null {
  return [...password].length >= min ? null : t('short', { min });
}
