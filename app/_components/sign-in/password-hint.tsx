'use client';

import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import type { Translator } from '../language';

const { min } = PASSWORD_LENGTH;

/** Returns an error message if a new password is too short, otherwise null. Only the server checks the other rules. */
export function passwordError(t: Translator<'common.password'>, password: string): string | null {
  return [...password].length >= min ? null : t('short', { min });
}

/** A field for a new password. `hint` comes before the rule that the password must be long. */
export function NewPasswordInput({ hint, ...props }: PasswordInputProps & { hint?: (rule: string) => string }) {
  const t = useTranslations('common.password');
  const rule = t('hint', { min });
  return (
    <PasswordInput
      description={hint ? hint(rule) : rule}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': t('toggle') }}
      required
      {...props}
    />
  );
}
