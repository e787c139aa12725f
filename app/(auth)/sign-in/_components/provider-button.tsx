'use client';

import { Button, Divider, Stack } from '@mantine/core';
import { signIn } from 'next-auth/react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useHydrated } from '@/app/_components/use-hydrated';
import { Problem } from '@/app/t/[tenant]/_components/forms/form-end';

type Props = { name: string; next: string; error: string | null };

/** The button that signs in with the OpenID provider. `error` is the error message of the previous attempt. */
export function ProviderButton({ name, next, error }: Props) {
  const t = useTranslations('signIn.page');
  const ready = useHydrated();
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    await signIn('oidc', { callbackUrl: next }).catch(() => setBusy(false));
  };
  return (
    <Stack>
      <Problem error={error} />
      <Button variant="default" loading={busy} disabled={!ready} fullWidth onClick={() => void go()}>
        {t('provider', { name })}
      </Button>
      <Divider label={t('orPassword')} />
    </Stack>
  );
}
