'use client';

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../../_components/shell/page-header';
import { Tabs } from '../../_components/tabs';

const TABS = [
  { href: '/catalog', label: 'Services' },
  { href: '/catalog/locations', label: 'Locations' },
  { href: '/catalog/specialists', label: 'Specialists' },
  { href: '/catalog/blocks', label: 'Blocked time' },
  { href: '/catalog/preview', label: 'Preview' },
  { href: '/catalog/transfer', label: 'Import and export' },
];

type Props = { title: string; lead: string; actions?: ReactNode; children: ReactNode };

/** The header and the tabs of the catalog pages. */
export function CatalogFrame({ title, lead, actions, children }: Props) {
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <Stack gap="md">
        <Tabs label="Catalog" tabs={TABS} />
        {children}
      </Stack>
    </>
  );
}
