'use client';

import { Anchor } from '@mantine/core';
import Link from 'next/link';
import { PageHeader } from './_components/page-header';
import { EmptyState } from './_components/states';

export default function NotFoundPage() {
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
        What you are looking for does not exist in this workspace, or not any more.
      </EmptyState>
    </>
  );
}
