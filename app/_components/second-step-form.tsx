'use client';

import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconAlertCircle } from '@tabler/icons-react';
import { signOut } from 'next-auth/react';
import { type FormEvent, useState } from 'react';
import { completeWith } from './use-sign-in';

type Props = { onSignedIn: () => void | Promise<void>; onExpired: () => void };

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondStepForm({ onSignedIn, onExpired }: Props) {
  const { problem, busy, submit } = useStep({ onSignedIn, onExpired });
  const [lost, setLost] = useState(false);
  // Disables the submit button until hydration. Before hydration, the browser would submit the form without the script.
  const ready = useMounted();
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <Text size="sm">
          {lost
            ? 'Enter one of the recovery codes that you stored. It works once.'
            : 'Enter the code that your authenticator app shows for this account.'}
        </Text>
        {problem && (
          <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
            {problem}
          </Alert>
        )}
        <TextInput
          key={lost ? 'recovery' : 'code'}
          label={lost ? 'Recovery code' : 'Code'}
          name="code"
          placeholder={lost ? 'xxxxx-xxxxx' : '123456'}
          inputMode={lost ? 'text' : 'numeric'}
          autoComplete={lost ? 'off' : 'one-time-code'}
          maxLength={40}
          spellCheck={false}
          required
          autoFocus
          data-autofocus
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          Continue
        </Button>
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setLost(!lost)}>
          {lost ? 'Use the authenticator app' : 'Use a recovery code'}
        </Anchor>
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => void signOut()}>
          Sign in with another account
        </Anchor>
        {lost && (
          <Text size="xs" c="dimmed">
            If you have no recovery code, an owner can remove your second factor on the Team page.
          </Text>
        )}
      </Stack>
    </form>
  );
}

function useStep({ onSignedIn, onExpired }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.querySelector<HTMLInputElement>('[name=code]');
    const code = field?.value.trim() ?? '';
    setProblem(code === '' ? 'Enter a code.' : null);
    if (code === '') return field?.focus();
    setBusy(true);
    const result = await completeWith(code).catch(
      () => ({ ok: false, message: 'Can’t reach the server. Try again in a moment.', expired: false }) as const,
    );
    if (result.ok) await onSignedIn();
    else if (result.expired) return onExpired();
    else {
      setProblem(result.message);
      field?.select();
    }
    setBusy(false);
  };
  return { problem, busy, submit };
}
