'use client';

import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { PASSWORD_HINT, passwordError } from '@/app/_components/password-hint';
import { signInWith } from '@/app/_components/use-sign-in';
import { accept } from './accept';

type Props = { token: string; email: string; hasAccount: boolean };

/**
 * The form that accepts an invitation and signs the user in. If `hasAccount` is set, the user enters the password of
 * the existing account. Otherwise, the user chooses a name and a password.
 */
export function AcceptForm({ token, email, hasAccount }: Props) {
  const { form, problem, busy, submit } = useAccept({ token, email, hasAccount });
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {hasAccount && (
          <Text size="sm">
            You already have an account with this email address. Enter the password for that account.
          </Text>
        )}
        {/* Tells password managers which account the password belongs to. */}
        <input type="hidden" name="email" autoComplete="username" value={email} />
        {!hasAccount && (
          <TextInput
            label="Your name"
            autoComplete="name"
            maxLength={200}
            required
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
        )}
        <PasswordInput
          label="Password"
          description={hasAccount ? undefined : PASSWORD_HINT}
          autoComplete={hasAccount ? 'current-password' : 'new-password'}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {hasAccount ? 'Join' : 'Create account and join'}
        </Button>
      </Stack>
    </form>
  );
}

function useAccept({ token, email, hasAccount }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', password: '' },
    validate: {
      name: (value) => (hasAccount || value.trim() ? null : 'Enter your name.'),
      password: (value) => (hasAccount ? (value ? null : 'Enter your password.') : passwordError(value)),
    },
  });
  const submit = form.onSubmit(async (values) => {
    setBusy(true);
    setProblem(null);
    const result = await accept({ token, ...values });
    if (result.ok) {
      const signedIn = await signInWith(email, values.password);
      return window.location.assign(signedIn.ok ? '/' : '/sign-in');
    }
    setBusy(false);
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  return { form, problem, busy, submit };
}
