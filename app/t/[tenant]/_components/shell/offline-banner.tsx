'use client';

import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

/** A banner while the browser is offline. */
export function OfflineBanner() {
  const t = useTranslations('shell.offline');
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Alert variant="filled" color="dark" mb="lg" icon={<IconWifiOff aria-hidden />} title={t('title')}>
          {t('text')}
        </Alert>
      )}
    </div>
  );
}
