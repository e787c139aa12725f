'use client';

import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { SendForm, useSend } from '@/app/(auth)/_components/send-form';

/** The form that mails a link for a new password. Its answer is the same for every address. */
export function RequestForm() {
  const t = useTranslations('signIn');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : t('frame.needEmail')) },
  });
  const sending = useSend(form, t('forgotten.cannotMail'));
  const submit = form.onSubmit(async ({ email }) => {
    if (await sending.run('/api/password', { email: email.trim() })) setSentTo(email.trim());
  });
  if (sentTo !== null)
    return (
      <Stack role="status" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.rich('forgotten.sent', { email: sentTo, b: (chunks) => <b>{chunks}</b> })}
        </Text>
        <Hint>{t('forgotten.noMail')}</Hint>
      </Stack>
    );
  return (
    <SendForm sending={sending} onSubmit={submit} verb={t('forgotten.submit')}>
      <Text size="sm">{t('forgotten.lead')}</Text>
      <TextInput
        label={t('frame.email')}
        type="email"
        autoComplete="username"
        maxLength={254}
        required
        key={form.key('email')}
        {...form.getInputProps('email')}
      />
    </SendForm>
  );
}
