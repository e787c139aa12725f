'use client';

import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser';
import { IconAlertCircle, IconFingerprint } from '@tabler/icons-react';
import { signOut } from 'next-auth/react';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { completeWith, type Proof, type SecondStepResult } from './use-sign-in';

type Props = { onSignedIn: () => void | Promise<void>; onExpired: () => void };

/** The second step of a sign-in: a passkey, a code from the authenticator app, or a recovery code. */
export function SecondStepForm({ onSignedIn, onExpired }: Props) {
  const t = useTranslations('common.secondStep');
  const proof = useTranslations('common.proof');
  const methods = useStepMethods(onExpired);
  const { problem, busy, submit, confirmByPasskey, startOver } = useStep({ onSignedIn, onExpired });
  const [lost, setLost] = useState(false);
  if (!methods) return <Text size="sm">{t('loading')}</Text>;
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
          <Text size="sm">{t('passkeyText')}</Text>
          <Button
            variant={totp ? 'default' : 'filled'}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            loading={busy}
            fullWidth
            data-autofocus={!totp || undefined}
            onClick={() => void confirmByPasskey()}
          >
            {proof('usePasskey')}
          </Button>
        </>
      )}
      {(totp || lost) && <CodeForm lost={lost} busy={busy} submit={submit} />}
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setLost(!lost)}>
        {lost ? t('useFactor') : proof('useRecovery')}
      </Anchor>
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => void startOver()}>
        {t('otherAccount')}
      </Anchor>
      {lost && <Hint size="xs">{t('noCode')}</Hint>}
    </Stack>
  );
}

type CodeProps = { lost: boolean; busy: boolean; submit: (event: FormEvent<HTMLFormElement>) => void };

function CodeForm({ lost, busy, submit }: CodeProps) {
  const t = useTranslations('common.secondStep');
  const proof = useTranslations('common.proof');
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <Text size="sm">{lost ? t('recoveryText') : t('appText')}</Text>
        <TextInput
          key={lost ? 'recovery' : 'code'}
          label={lost ? proof('recoveryCode') : proof('code')}
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
          {t('continue')}
        </Button>
      </Stack>
    </form>
  );
}

function useStep({ onSignedIn, onExpired }: Props) {
  const t = useTranslations('common.secondStep');
  const proof = useTranslations('common.proof');
  const tSignIn = useTranslations('common.signIn');
  const unreachable = { ok: false, message: tSignIn('unreachable'), expired: false } as const;
  const complete = (proof: Proof) => completeWith(proof, t, tSignIn).catch(() => unreachable);
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
    setProblem(code === '' ? t('needCode') : null);
    if (code === '') return field?.focus();
    setBusy(true);
    await finish(await complete({ code }));
    field?.select();
  };
  const confirmByPasskey = async () => {
    setProblem(null);
    setBusy(true);
    // A challenge is valid for five minutes, so each attempt loads a new challenge.
    const methods = await loadMethods().catch(() => undefined);
    if (methods === undefined) return finish(unreachable);
    if (!methods?.passkeys) return onExpired();
    const response = await startAuthentication({ optionsJSON: methods.passkeys }).catch(() => null);
    if (!response) return finish({ ok: false, message: proof('passkeyUnused'), expired: false });
    await finish(await complete({ passkey: JSON.stringify(response) }));
  };
  const startOver = () => signOut().catch(() => setProblem(unreachable.message));
  return { problem, busy, submit, confirmByPasskey, startOver };
}

/** The ways to complete a sign-in, besides recovery codes. `passkeys` is null if the user cannot use a passkey. */
type StepMethods = { totp: boolean; passkeys: PublicKeyCredentialRequestOptionsJSON | null };

/** Loads the ways to complete the sign-in. Returns null if the sign-in must start over. */
async function loadMethods(): Promise<StepMethods | null> {
  const headers = { 'x-partner-booking': 'control-center' };
  const response = await fetch('/api/second-step', { method: 'POST', headers });
  return response.ok ? ((await response.json()) as StepMethods) : null;
}

/** Calls `onExpired` if the sign-in must start over. If loading fails, the authenticator app is the only way. */
function useStepMethods(onExpired: () => void): StepMethods | null {
  const [methods, setMethods] = useState<StepMethods | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the methods are loaded once per sign-in.
  useEffect(() => {
    loadMethods().then(
      (found) => (found ? setMethods(found) : onExpired()),
      () => setMethods({ totp: true, passkeys: null }),
    );
  }, []);
  return methods;
}
