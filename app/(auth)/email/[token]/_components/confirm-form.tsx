'use client';

import { Anchor, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { SendForm, useSend } from '@/app/(auth)/_components/send-form';

type Props = { token: string; email: string };

/** The form that gives an account the address of a mailed link. */
export function ConfirmForm({ token, email }: Props) {
  const t = useTranslations('signIn');
  const tCommon = useTranslations('common');
  const b = (chunks: ReactNode) => <b>{chunks}</b>;
  const [done, setDone] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => (value ? null : t('address.needPassword')) },
  });
  const sending = useSend(form, t('address.ended'));
  const submit = form.onSubmit(async ({ password }) => {
    if (await sending.run('/api/email', { token, password })) setDone(true);
  });
  if (done)
    return (
      <Stack role="status" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.rich('address.done', { email, b })}
        </Text>
        <Anchor href="/" size="sm">
          {t('frame.open')}
        </Anchor>
      </Stack>
    );
  return (
    <SendForm sending={sending} onSubmit={submit} verb={t('address.submit')}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('address.lead', { email, b })}
      </Text>
      {/* Tells password managers which address the password belongs to. */}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <PasswordInput
        label={t('address.password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': tCommon('password.toggle') }}
        required
        key={form.key('password')}
        {...form.getInputProps('password')}
      />
    </SendForm>
  );
}
