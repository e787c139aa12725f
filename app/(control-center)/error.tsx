'use client';

import { Button } from '@mantine/core';
import { PageHeader } from './_components/page-header';
import { EmptyState } from './_components/states';

/** A page that broke: the frame around it stays, and nothing else is lost. */
export default function BrokenPage({ reset }: { reset: () => void }) {
  return (
    <>
      <PageHeader title="This page broke" />
      <EmptyState title="That is our mistake, not yours" action={<Button onClick={reset}>Try again</Button>}>
        What you saved is saved. Try again, or reload the page; the other pages go on working.
      </EmptyState>
    </>
  );
}
