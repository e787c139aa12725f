'use client';

import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { startAuthentication } from '@simplewebauthn/browser';
import { IconAlertCircle, IconFingerprint } from '@tabler/icons-react';
import { signOut } from 'next-auth/react';
import { type FormEvent, useState } from 'react';
import { completeWith, type SecondStepResult } from './use-sign-in';
import { loadMethods, useStepMethods } from './use-step-methods';

type Props = { onSignedIn: () => void | Promise<void>; onExpired: () => void };

/** The second step of a sign-in: a passkey, a code from the authenticator app, or a recovery code. */
export function SecondStepForm({ onSignedIn, onExpired }: Props) {
  const methods = useStepMethods(onExpired);
  const { problem, busy, submit, confirmByPasskey } = useStep({ onSignedIn, onExpired });
  const [lost, setLost] = useState(false);
  if (!methods) return <Text size="sm">Loading…</Text>;
  const { totp, passkeys } = methods;
  return (
    <Stack>
      {problem && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          {problem}
        </Alert>
      )}
      {passkeys && !lost && (
        <>
          <Text size="sm">Use your passkey to finish signing in.</Text>
          <Button
            variant={totp ? 'default' : 'filled'}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            loading={busy}
            fullWidth
            data-autofocus={!totp || undefined}
            onClick={() => void confirmByPasskey()}
          >
            Use a passkey
          </Button>
        </>
      )}
      {(totp || lost) && <CodeForm lost={lost} busy={busy} submit={submit} />}
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setLost(!lost)}>
        {lost ? 'Use your second factor' : 'Use a recovery code'}
      </Anchor>
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => void signOut()}>
        Sign in with another account
      </Anchor>
      {lost && (
        <Text size="xs" c="dimmed">
          If you do not have a recovery code, ask an owner to remove your second factor on the Team page.
        </Text>
      )}
    </Stack>
  );
}

type CodeProps = { lost: boolean; busy: boolean; submit: (event: FormEvent<HTMLFormElement>) => void };

function CodeForm({ lost, busy, submit }: CodeProps) {
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <Text size="sm">
          {lost
            ? 'Enter one of your recovery codes. Each code works only once.'
            : 'Enter the code that your authenticator app shows for this account.'}
        </Text>
        <TextInput
          key={lost ? 'recovery' : 'code'}
          label={lost ? 'Recovery code' : 'Code'}
          name="code"
          placeholder={lost ? 'xxxxxx-xxxxxx-…' : '123456'}
          inputMode={lost ? 'text' : 'numeric'}
          autoComplete={lost ? 'off' : 'one-time-code'}
          maxLength={40}
          spellCheck={false}
          required
          autoFocus
          data-autofocus
        />
        <Button type="submit" loading={busy} fullWidth>
          Continue
        </Button>
      </Stack>
    </form>
  );
}

const UNREACHABLE = { ok: false, message: 'Cannot reach the server. Try again in a moment.', expired: false } as const;

function useStep({ onSignedIn, onExpired }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const finish = async (result: SecondStepResult) => {
    if (result.ok) await onSignedIn();
    else if (result.expired) return onExpired();
    else setProblem(result.message);
    setBusy(false);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const field = event.currentTarget.querySelector<HTMLInputElement>('[name=code]');
    const code = field?.value.trim() ?? '';
    setProblem(code === '' ? 'Enter a code.' : null);
    if (code === '') return field?.focus();
    setBusy(true);
    await finish(await completeWith({ code }).catch(() => UNREACHABLE));
    field?.select();
  };
  const confirmByPasskey = async () => {
    setProblem(null);
    setBusy(true);
    // A challenge is valid for five minutes, so each attempt loads a new challenge.
    const methods = await loadMethods().catch(() => undefined);
    if (methods === undefined) return finish(UNREACHABLE);
    if (!methods?.passkeys) return onExpired();
    const response = await startAuthentication({ optionsJSON: methods.passkeys }).catch(() => null);
    if (!response) return finish({ ok: false, message: 'The passkey was not used. Try again.', expired: false });
    await finish(await completeWith({ passkey: JSON.stringify(response) }).catch(() => UNREACHABLE));
  };
  return { problem, busy, submit, confirmByPasskey };
}
