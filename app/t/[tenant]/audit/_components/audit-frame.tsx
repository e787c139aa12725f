'use client';

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../_components/shell/page-header';
import { Tabs } from '../../_components/tabs';

/** The header and the tabs of the audit pages. */
export function AuditFrame({ page, children }: { page: 'changes' | 'signIns' | 'refused'; children: ReactNode }) {
  const t = useTranslations('audit');
  const tabs = [
    { href: '/audit', label: t('frame.changes') },
    { href: '/audit/sign-ins', label: t('frame.signIns') },
    { href: '/audit/refused', label: t('frame.refused') },
  ];
  return (
    <>
      <PageHeader title={t('frame.title')} lead={t(`${page}.lead`)} />
      <Stack gap="md">
        <Tabs label={t('frame.title')} tabs={tabs} />
        {children}
      </Stack>
    </>
  );
}
