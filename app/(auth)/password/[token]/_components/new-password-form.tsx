'use client';

import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'use-intl';
import { NewPasswordInput, passwordError } from '@/app/_components/sign-in/password-hint';
import { SendForm, useSend } from '@/app/(auth)/_components/send-form';

type Props = { token: string; email: string };

/** The form that sets a new password with a mailed link. The person then signs in with it, and with the second factor. */
export function NewPasswordForm({ token, email }: Props) {
  const t = useTranslations('signIn.newPassword');
  const tPassword = useTranslations('common.password');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => passwordError(tPassword, value) },
  });
  const sending = useSend(form, t('ended'));
  const submit = form.onSubmit(async ({ password }) => {
    if (await sending.run('/api/password', { token, password })) window.location.assign('/sign-in');
  });
  return (
    <SendForm sending={sending} onSubmit={submit} verb={t('submit')}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('lead', { email, b: (chunks) => <b>{chunks}</b> })}
      </Text>
      {/* Tells password managers which account the password belongs to. */}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <NewPasswordInput label={t('label')} key={form.key('password')} {...form.getInputProps('password')} />
    </SendForm>
  );
}
