'use client';

import { Alert, Button, PasswordInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { passwordError, passwordHint } from '@/app/_components/password-hint';
import { SignInForm } from '@/app/_components/sign-in-form';
import { signInWith } from '@/app/_components/use-sign-in';
import { accept, tenantOf } from './accept';

type Props = { token: string; email: string };

/**
 * The two ways to accept an invitation. Both are always offered, so that the page does not show whether the address has
 * an account.
 * @param provider the button that signs in with the OpenID provider, or null.
 */
export function Choice({ token, email, provider }: Props & { provider: ReactNode }) {
  const t = useTranslations('signIn.invitation');
  const [way, setWay] = useState('new');
  return (
    <Stack>
      <SegmentedControl
        fullWidth
        aria-label={t('how')}
        value={way}
        onChange={setWay}
        data={[
          { value: 'new', label: t('newAccount') },
          { value: 'existing', label: t('existing') },
        ]}
      />
      {way === 'new' ? (
        <AcceptForm token={token} email={email} />
      ) : (
        <>
          {provider}
          <SignInForm email={email} onSignedIn={() => window.location.reload()} />
        </>
      )}
    </Stack>
  );
}

/** The form that accepts an invitation with a new account, and signs the user in. */
export function AcceptForm({ token, email }: Props) {
  const t = useTranslations('signIn');
  const tPassword = useTranslations('common.password');
  const { form, problem, busy, submit } = useAccept({ token, email });
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
        {/* Tells password managers which account the password belongs to. */}
        <input type="hidden" name="email" autoComplete="username" value={email} />
        <TextInput
          label={t('frame.name')}
          autoComplete="name"
          maxLength={200}
          required
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label={t('frame.password')}
          description={passwordHint(tPassword)}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': tPassword('toggle') }}
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {t('invitation.create')}
        </Button>
      </Stack>
    </form>
  );
}

function useAccept({ token, email }: Props) {
  const t = useTranslations('signIn');
  const tCommon = useTranslations('common');
  const tPassword = useTranslations('common.password');
  const tSignIn = useTranslations('common.signIn');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', password: '' },
    validate: {
      name: (value) => (value.trim() ? null : t('frame.needName')),
      password: (value) => passwordError(tPassword, value),
    },
  });
  const submit = form.onSubmit(async (values) => {
    setBusy(true);
    setProblem(null);
    const result = await accept({ token, ...values }, t, tCommon);
    if (result.ok) {
      const tenant = tenantOf(result.body);
      const signedIn = await signInWith({ email, password: values.password, tenant }, tSignIn);
      return window.location.assign(signedIn.ok ? `/t/${tenant}` : '/sign-in');
    }
    setBusy(false);
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  return { form, problem, busy, submit };
}
