'use client';

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../_components/shell/page-header';
import { Tabs } from '../../_components/tabs';

const TABS = [
  { href: '/catalog', label: 'services' },
  { href: '/catalog/locations', label: 'locations' },
  { href: '/catalog/specialists', label: 'specialists' },
  { href: '/catalog/blocks', label: 'blocks' },
  { href: '/catalog/preview', label: 'preview' },
  { href: '/catalog/transfer', label: 'transfer' },
] as const;

type Props = { title: string; lead: string; actions?: ReactNode; children: ReactNode };

/** The header and the tabs of the catalog pages. */
export function CatalogFrame({ title, lead, actions, children }: Props) {
  const t = useTranslations('catalog');
  const tabs = TABS.map(({ href, label }) => ({ href, label: t(`pages.${label}`) }));
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <Stack gap="md">
        <Tabs label={t('frame.tabs')} tabs={tabs} />
        {children}
      </Stack>
    </>
  );
}
