'use client';

import { Stack } from '@mantine/core';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { PageHeader } from '../../_components/page-header';
import styles from '../../applications/_components/applications.module.css';

const TABS = [
  { href: '/catalog', label: 'Services' },
  { href: '/catalog/locations', label: 'Locations' },
  { href: '/catalog/specialists', label: 'Specialists' },
  { href: '/catalog/preview', label: 'Preview' },
  { href: '/catalog/transfer', label: 'Import and export' },
];

type Props = { title: string; lead: string; actions?: ReactNode; children: ReactNode };

/** The header and the tabs of the catalog pages. */
export function CatalogFrame({ title, lead, actions, children }: Props) {
  const path = usePathname();
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <Stack gap="md">
        <nav className={styles.tabs} aria-label="Catalog">
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
