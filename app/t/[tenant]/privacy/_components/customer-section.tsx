'use client';

import { Button, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { Part } from './part';

/** Leads to the page that hands out or erases the data of one customer. */
export function CustomerSection() {
  const t = useTranslations('privacy.customerSection');
  return (
    <Part title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <Button component={Link} href="/privacy/customer" variant="default" w="fit-content">
        {t('open')}
      </Button>
    </Part>
  );
}
