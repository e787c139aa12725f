'use client';

import { Alert, Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { send } from '@/app/(auth)/_components/send';

type Props = { token: string; email: string };

/** The form that gives an account the address of a mailed link. */
export function ConfirmForm({ token, email }: Props) {
  const t = useTranslations('signIn');
  const tCommon = useTranslations('common');
  const b = (chunks: ReactNode) => <b>{chunks}</b>;
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => (value ? null : t('address.needPassword')) },
  });
  const submit = form.onSubmit(async ({ password }) => {
    setBusy(true);
    setProblem(null);
    const result = await send('/api/email', { token, password }, t('address.ended'), tCommon);
    setBusy(false);
    if (result.ok) return setDone(true);
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
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
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
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
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {t('address.submit')}
        </Button>
      </Stack>
    </form>
  );
}
