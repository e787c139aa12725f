'use client';

import { Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useHydrated } from '@/app/_components/use-hydrated';
import { Problem } from '@/app/t/[tenant]/_components/forms/form-end';

type Props = { token: string; label: string };

/** The button that refuses a kind of mails. */
export function RefuseButton({ token, label }: Props) {
  const t = useTranslations('signIn.mails');
  const b = (chunks: ReactNode) => <b>{chunks}</b>;
  const [state, setState] = useState<'open' | 'busy' | 'done' | 'failed'>('open');
  const ready = useHydrated();
  const refuse = async () => {
    setState('busy');
    const response = await fetch(`/api/unsubscribe?token=${token}`, { method: 'POST' }).catch(() => null);
    setState(response?.ok ? 'done' : 'failed');
  };
  if (state === 'done')
    return (
      <Text size="sm" role="status">
        {t.rich('done', { label, b })}
      </Text>
    );
  return (
    <Stack>
      <Problem error={state === 'failed' ? t('failed') : null} />
      <Text size="sm">{t.rich('ask', { label, b })}</Text>
      <Button fullWidth disabled={!ready} loading={state === 'busy'} onClick={() => void refuse()}>
        {t('stop')}
      </Button>
    </Stack>
  );
}
