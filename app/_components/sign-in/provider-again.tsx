'use client';

import { Button } from '@mantine/core';
import { signIn } from 'next-auth/react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

/** Tells the OpenID provider to authenticate the person again, even if its own session has not ended. */
const AGAIN = { prompt: 'login', max_age: '0' };

type Props = { name: string; onLeave?: () => void };

/** The button with which a person without a password proves who they are. Returns to the current page. */
export function ProviderAgain({ name, onLeave }: Props) {
  const t = useTranslations('common.signIn');
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    onLeave?.();
    await signIn('oidc', { callbackUrl: window.location.href }, AGAIN).catch(() => setBusy(false));
  };
  return (
    <Button loading={busy} fullWidth onClick={() => void go()}>
      {t('providerAgain', { name })}
    </Button>
  );
}
