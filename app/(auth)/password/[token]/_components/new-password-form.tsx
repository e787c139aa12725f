'use client';

import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { PASSWORD_HINT, passwordError } from '@/app/_components/password-hint';
import { send } from '@/app/(auth)/_components/send';

type Props = { token: string; email: string };

/** The form that sets a new password with a mailed link. The person then signs in with it, and with the second factor. */
export function NewPasswordForm({ token, email }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: passwordError },
  });
  const submit = form.onSubmit(async ({ password }) => {
    setBusy(true);
    setProblem(null);
    const result = await send('/api/password', { token, password }, 'This link no longer works. Get a new one.');
    if (result.ok) return window.location.assign('/sign-in');
    setBusy(false);
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          For <b>{email}</b>. All your sessions end, and you sign in with the new password.
        </Text>
        {/* Tells password managers which account the password belongs to. */}
        <input type="hidden" name="email" autoComplete="username" value={email} />
        <PasswordInput
          label="New password"
          description={PASSWORD_HINT}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          Set password
        </Button>
      </Stack>
    </form>
  );
}
