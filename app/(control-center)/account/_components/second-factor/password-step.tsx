'use client';

import { PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormEnd, Problem } from '../../../_components/form-end';

type Failure = { message: string; data?: { fields?: { path: string; message: string }[] } | null };

type Props = {
  text: string;
  verb: string;
  danger?: boolean;
  busy: boolean;
  error: Failure | null;
  onCancel: () => void;
  onPassword: (password: string) => void;
};

/** Explains a sensitive change and asks for the password again, so that an open session does not suffice for it. */
export function PasswordStep({ text, verb, danger, busy, error, onCancel, onPassword }: Props) {
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
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          required
          data-autofocus
          value={password}
          error={wrong && `This ${wrong}.`}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <FormEnd verb={verb} danger={danger} busy={busy} disabled={password === ''} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
