'use client';

import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { passwordError, passwordHint } from '@/app/_components/password-hint';
import { send } from '@/app/(auth)/_components/send';

type Props = { token: string; email: string };

/** The form that sets a new password with a mailed link. The person then signs in with it, and with the second factor. */
export function NewPasswordForm({ token, email }: Props) {
  const t = useTranslations('signIn.newPassword');
  const tCommon = useTranslations('common');
  const tPassword = useTranslations('common.password');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (value) => passwordError(tPassword, value) },
  });
  const submit = form.onSubmit(async ({ password }) => {
    setBusy(true);
    setProblem(null);
    const result = await send('/api/password', { token, password }, t('ended'), tCommon);
    if (result.ok) return window.location.assign('/sign-in');
    setBusy(false);
    form.setErrors(result.fields);
    if (Object.keys(result.fields).length === 0) setProblem(result.message);
  });
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.rich('lead', { email, b: (chunks) => <b>{chunks}</b> })}
        </Text>
        {/* Tells password managers which account the password belongs to. */}
        <input type="hidden" name="email" autoComplete="username" value={email} />
        <PasswordInput
          label={t('label')}
          description={passwordHint(tPassword)}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': tPassword('toggle') }}
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
