'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { PageHeader } from './page-header';
import { EmptyState } from './states';

/** What is shown where no page is. */
export function NothingHere() {
  return (
    <>
      <PageHeader title="There is nothing here" />
      <EmptyState
        title="No such page"
        action={
          <Anchor component={Link} href="/">
            Back to the overview
          </Anchor>
        }
      >
        What you are looking for does not exist in this Control Center, or not any more.
      </EmptyState>
    </>
  );
}
