'use client';

import { SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { NewPasswordInput, passwordError } from '@/app/_components/sign-in/password-hint';
import { SignInForm } from '@/app/_components/sign-in/sign-in-form';
import { signInWith } from '@/app/_components/sign-in/use-sign-in';
import { SendForm, useSend } from '@/app/(auth)/_components/send-form';
import { tenantOf } from './join-form';

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
  const { form, sending, submit } = useAccept({ token, email });
  return (
    <SendForm sending={sending} onSubmit={submit} verb={t('invitation.create')}>
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
      <NewPasswordInput label={t('frame.password')} key={form.key('password')} {...form.getInputProps('password')} />
    </SendForm>
  );
}

function useAccept({ token, email }: Props) {
  const t = useTranslations('signIn');
  const tPassword = useTranslations('common.password');
  const tSignIn = useTranslations('common.signIn');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', password: '' },
    validate: {
      name: (value) => (value.trim() ? null : t('frame.needName')),
      password: (value) => passwordError(tPassword, value),
    },
  });
  const sending = useSend(form, t('invitation.endedNow'));
  const submit = form.onSubmit(async (values) => {
    const accepted = await sending.run('/api/invite', { token, ...values });
    if (!accepted) return;
    const tenant = tenantOf(accepted.body);
    const signedIn = await signInWith({ email, password: values.password, tenant }, tSignIn);
    window.location.assign(signedIn.ok ? `/t/${tenant}` : '/sign-in');
  });
  return { form, sending, submit };
}
