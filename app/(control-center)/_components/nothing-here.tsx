'use client';

import { Anchor } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { PageHeader } from './page-header';
import { EmptyState } from './states';

/** The page for a URL that does not exist. */
export function NothingHere() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState
        title="This page does not exist"
        action={
          <Anchor component={Link} href="/">
            Back to the overview
          </Anchor>
        }
      >
        The page may have been removed, or the address may be wrong.
      </EmptyState>
    </>
  );
}
