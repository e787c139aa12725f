'use client';

import { Stack } from '@mantine/core';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { PageHeader } from '../../_components/page-header';
import styles from '../../applications/_components/applications.module.css';

const TABS = [
  { href: '/audit', label: 'Changes' },
  { href: '/audit/sign-ins', label: 'Sign-ins' },
];

/** The header and the tabs of the audit pages. */
export function AuditFrame({ lead, children }: { lead: string; children: ReactNode }) {
  const path = usePathname();
  return (
    <>
      <PageHeader title="Audit" lead={lead} />
      <Stack gap="md">
        <nav className={styles.tabs} aria-label="Audit">
          {TABS.map(({ href, label }) => (
            <Link key={href} href={href} className={styles.tab} aria-current={path === href ? 'page' : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        {children}
      </Stack>
    </>
  );
}
