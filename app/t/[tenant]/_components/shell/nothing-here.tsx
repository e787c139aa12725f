'use client';

import { Anchor } from '@mantine/core';
import { useTenantHref } from '@/app/_components/tenant';
import { EmptyState } from '../states';
import { PageHeader } from './page-header';

/** The page for a URL that does not exist. */
export function NothingHere() {
  const hrefOf = useTenantHref();
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState title="This page does not exist" action={<Anchor href={hrefOf('/')}>Back to the overview</Anchor>}>
        The page may have been removed, or the address may be wrong.
      </EmptyState>
    </>
  );
}
