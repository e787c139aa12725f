'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { send } from '@/app/(auth)/_components/send';

/** The form that mails a link for a new password. Its answer is the same for every address. */
export function RequestForm() {
  const t = useTranslations('signIn');
  const tCommon = useTranslations('common');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : t('frame.needEmail')) },
  });
  const submit = form.onSubmit(async ({ email }) => {
    setBusy(true);
    setProblem(null);
    const result = await send('/api/password', { email: email.trim() }, t('forgotten.cannotMail'), tCommon);
    setBusy(false);
    if (result.ok) return setSentTo(email.trim());
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  if (sentTo !== null)
    return (
      <Stack role="status" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.rich('forgotten.sent', { email: sentTo, b: (chunks) => <b>{chunks}</b> })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('forgotten.noMail')}
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
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {t('forgotten.submit')}
        </Button>
      </Stack>
    </form>
  );
}
