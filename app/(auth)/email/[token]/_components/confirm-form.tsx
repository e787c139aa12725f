'use client';

import { Alert, Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { send } from '@/app/(auth)/_components/send';

const ENDED = 'This link no longer works, or the address cannot be used for this account.';

type Props = { token: string; email: string };

/** The form that gives an account the address of a mailed link. */
export function ConfirmForm({ token, email }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => (value ? null : 'Enter the password of your account.') },
  });
  const submit = form.onSubmit(async ({ password }) => {
    setBusy(true);
    setProblem(null);
    const result = await send('/api/email', { token, password }, ENDED);
    setBusy(false);
    if (result.ok) return setDone(true);
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  if (done)
    return (
      <Stack role="status" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The address of your account is now <b>{email}</b>. Use it from the next sign-in on. Your other sessions have
          ended.
        </Text>
        <Anchor href="/" size="sm">
          Open the Control Center
        </Anchor>
      </Stack>
    );
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Your account gets the address <b>{email}</b>. Your password and your second factor stay, and your other
          sessions end.
        </Text>
        {/* Tells password managers which address the password belongs to. */}
        <input type="hidden" name="email" autoComplete="username" value={email} />
        <PasswordInput
          label="Password of your account"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          Change the address
        </Button>
      </Stack>
    </form>
  );
}
