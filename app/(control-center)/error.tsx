'use client';

import { Button } from '@mantine/core';
import { PageHeader } from './_components/page-header';
import { EmptyState } from './_components/states';

/** The page that replaces a page of the Control Center after an error. The navigation keeps working. */
export default function BrokenPage({ reset }: { reset: () => void }) {
  return (
    <>
      <PageHeader title="Something went wrong" />
      <EmptyState title="This page failed to load" action={<Button onClick={reset}>Try again</Button>}>
        Saved changes are not affected. Try again or reload the page.
      </EmptyState>
    </>
  );
}
