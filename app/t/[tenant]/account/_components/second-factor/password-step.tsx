'use client';

import { PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FormEnd, Problem } from '../../../_components/form-end';

type Failure = { message: string; data?: { fields?: { path: string; message: string }[] } | null };

type Props = {
  text: string;
  verb: string;
  danger?: boolean;
  busy: boolean;
  /** Whether the button is disabled. Set while a field in `children` is empty. */
  disabled?: boolean;
  error: Failure | null;
  onCancel: () => void;
  onPassword: (password: string) => void;
  /** Additional fields, which are shown above the password. */
  children?: ReactNode;
};

/**
 * Explains a sensitive change, and asks for the password again. A person who finds an open session does not know the
 * password and cannot make the change.
 */
export function PasswordStep(props: Props) {
  const { text, verb, danger, busy, disabled = false, error, onCancel, onPassword, children } = props;
  const [password, setPassword] = useState('');
  const wrong = error?.data?.fields?.[0]?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPassword(password);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{text}</Text>
        <Problem error={wrong ? null : error} />
        {children}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          required
          data-autofocus={children === undefined || undefined}
          value={password}
          error={wrong && `This ${wrong}.`}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormEnd verb={verb} danger={danger} busy={busy} disabled={disabled || password === ''} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
