'use client';

import { Button, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { KeysetPager } from '../../_components/keyset-pager';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useAddress } from '../../_components/use-address';
import { AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { type AuditQuery, changeQuery, hrefOf, isFiltered, listInput, NO_FILTERS, readQuery } from './query';

const ADDRESS = { read: readQuery, hrefOf };

/** Every change of the Control Center, to be narrowed by person, object and time. */
export function AuditView() {
  const trpc = useTRPC();
  const { query, href, go } = useAddress(ADDRESS, changeQuery);
  const choices = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  const list = useQuery(trpc.audit.list.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  const frame = useRef<HTMLDivElement>(null);
  const turn = (patch: Partial<AuditQuery>) => {
    go(patch);
    frame.current?.focus();
  };
  if (list.isError)
    return (
      <ErrorState
        error={list.error}
        retry={() => void list.refetch()}
        toFirst={() => go({ cursor: null, back: false })}
      />
    );
  return (
    <Stack gap="md">
      <AuditFilters query={query} choices={choices.data} go={go} />
      {!list.data ? (
        <LoadingRows rows={8} height={64} />
      ) : list.data.lines.length === 0 ? (
        <NoLines filtered={isFiltered(query)} clear={() => go(NO_FILTERS)} />
      ) : (
        <div>
          <AuditTable lines={list.data.lines} busy={list.isPlaceholderData} frame={frame} />
          <KeysetPager previous={list.data.previous} next={list.data.next} href={href} onGo={turn} />
        </div>
      )}
    </Stack>
  );
}

function NoLines({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  if (!filtered) {
    return (
      <EmptyState title="No changes yet">Whatever somebody changes here appears at once, with their name.</EmptyState>
    );
  }
  const action = (
    <Button variant="default" onClick={clear}>
      Clear filters
    </Button>
  );
  return (
    <EmptyState title="No change fits" action={action}>
      Nobody did anything that fits all of the filters.
    </EmptyState>
  );
}
