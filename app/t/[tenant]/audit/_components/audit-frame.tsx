'use client';

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../../_components/shell/page-header';
import { Tabs } from '../../_components/tabs';

const TABS = [
  { href: '/audit', label: 'Changes' },
  { href: '/audit/sign-ins', label: 'Sign-ins' },
  { href: '/audit/refused', label: 'Refused calls' },
];

/** The header and the tabs of the audit pages. */
export function AuditFrame({ lead, children }: { lead: string; children: ReactNode }) {
  return (
    <>
      <PageHeader title="Audit" lead={lead} />
      <Stack gap="md">
        <Tabs label="Audit" tabs={TABS} />
        {children}
      </Stack>
    </>
  );
}
