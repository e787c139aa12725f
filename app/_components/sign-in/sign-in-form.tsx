'use client';

import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconAlertCircle, IconClock } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useHydrated } from '@/app/_components/use-hydrated';
import { tenantIn } from '../tenant-path';
import { SecondStepForm } from './second-step-form';
import { signInWith } from './use-sign-in';

/** `next` is the path that opens after the sign-in. By default, this is the path of the current page. */
type Props = { onSignedIn: () => void | Promise<void>; email?: string; next?: string };

/** Asks for the email address and the password. Also in the dialog that opens after a session has ended. */
export function SignInForm({ onSignedIn, email = '', next = '' }: Props) {
  const [step, setStep] = useState<'password' | 'second' | 'expired'>('password');
  if (step === 'second') return <SecondStepForm onSignedIn={onSignedIn} onExpired={() => setStep('expired')} />;
  return (
    <PasswordStep
      email={email}
      next={next}
      expired={step === 'expired'}
      onSignedIn={onSignedIn}
      onSecondStep={() => setStep('second')}
    />
  );
}

type StepProps = Required<Props> & { expired: boolean; onSecondStep: () => void };

function PasswordStep({ email, next, expired, onSignedIn, onSecondStep }: StepProps) {
  const t = useTranslations('common.signIn');
  const tPassword = useTranslations('common.password');
  const { errors, problem, delay, busy, submit } = useSubmit(next, onSignedIn, onSecondStep);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useHydrated();
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        {(problem ?? expired) && (
          <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
            {problem ?? t('expired')}
          </Alert>
        )}
        {delay !== null && (
          <Alert color="yellow" role="status" icon={<IconClock aria-hidden />}>
            {t('delayed', { delay })}
          </Alert>
        )}
        <TextInput
          label={t('email')}
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          error={errors.email}
        />
        <PasswordInput
          label={t('password')}
          name="password"
          autoComplete="current-password"
          data-autofocus={email !== '' || undefined}
          visibilityToggleButtonProps={{ 'aria-label': tPassword('toggle') }}
          required
          error={errors.password}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}

function useSubmit(next: string, onSignedIn: Props['onSignedIn'], onSecondStep: () => void) {
  const t = useTranslations('common.signIn');
  const [problem, setProblem] = useState<string | null>(null);
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});
  const [busy, setBusy] = useState(false);
  const [delay, setDelay] = useState<number | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The values are read from the form, because React may have missed their changes. A password manager can fill in
    // the form before hydration, when React does not yet receive change events.
    const data = new FormData(event.currentTarget);
    const [email, password] = [String(data.get('email') ?? ''), String(data.get('password') ?? '')];
    const found = {
      ...(/^[^\s@]+@[^\s@]+$/.test(email.trim()) ? {} : { email: t('needEmail') }),
      ...(password ? {} : { password: t('needPassword') }),
    };
    setErrors(found);
    setProblem(null);
    const [first] = Object.keys(found);
    if (first) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    setBusy(true);
    const tenant = tenantIn(next || window.location.pathname);
    const result = await signInWith({ email, password, tenant }, t, setDelay).catch(
      () => ({ ok: false, message: t('unreachable') }) as const,
    );
    if (result.ok && result.secondStep) return onSecondStep();
    if (result.ok) await onSignedIn();
    else setProblem(result.message);
    setBusy(false);
    setDelay(null);
  };
  return { errors, problem, delay, busy, submit };
}
