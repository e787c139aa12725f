'use client';

import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accept, tenantOf } from './accept';

/** The form that a signed-in user with a proven address submits to accept an invitation. */
export function JoinForm({ token }: { token: string }) {
  const t = useTranslations('signIn');
  const tCommon = useTranslations('common');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const join = async () => {
    setBusy(true);
    const result = await accept({ token, signed_in: true }, t, tCommon);
    if (result.ok) return window.location.assign(`/t/${tenantOf(result.body)}`);
    setProblem(result.message);
    setBusy(false);
  };
  return (
    <Stack>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Button fullWidth loading={busy} onClick={() => void join()}>
        {t('invitation.join')}
      </Button>
    </Stack>
  );
}
