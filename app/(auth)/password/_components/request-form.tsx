'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { send } from '@/app/(auth)/_components/send';

/** The form that mails a link for a new password. Its answer is the same for every address. */
export function RequestForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : 'Enter your email address.') },
  });
  const submit = form.onSubmit(async ({ email }) => {
    setBusy(true);
    setProblem(null);
    const result = await send('/api/password', { email: email.trim() }, 'The link cannot be mailed.');
    setBusy(false);
    if (result.ok) return setSentTo(email.trim());
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  if (sentTo !== null)
    return (
      <Stack role="status" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          If <b>{sentTo}</b> has an account with a password, a link is on its way. It works once, for 30 minutes.
        </Text>
        <Text size="sm" c="dimmed">
          No mail? Look in the spam folder. If you sign in with your company’s provider, use its button. Otherwise, ask
          an owner of your business.
        </Text>
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
        <Text size="sm">
          We mail you a link with which you set a new one. Until then, your password stays as it is.
        </Text>
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          maxLength={254}
          required
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          Mail the link
        </Button>
      </Stack>
    </form>
  );
}
