'use client';

import { Button, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { ExportButton } from '../../_components/tables/export-button';
import { keysetPages, Pager } from '../../_components/tables/pager';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { type AuditQuery, changeQuery, filterInput, isFiltered, listInput, NO_FILTERS, PARSERS } from './query';
import type { Names } from './values';

/** The entries of the audit log, with filters for the person, the action, the object, and the date. */
export function AuditView() {
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: changeQuery });
  const choices = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  const names = useNames();
  const list = useQuery(trpc.audit.list.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  const frame = useRef<HTMLDivElement>(null);
  const turnPage = (patch: Partial<AuditQuery>) => {
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
      <AuditFilters query={query} choices={choices.data} go={go}>
        <ExportButton list="audit" input={filterInput(query)} />
      </AuditFilters>
      {!list.data ? (
        <LoadingRows rows={8} height={64} />
      ) : list.data.lines.length === 0 ? (
        <NoChanges filtered={isFiltered(query)} clear={() => go(NO_FILTERS)} />
      ) : (
        <div>
          <AuditTable changes={list.data.lines} names={names} busy={list.isPlaceholderData} frame={frame} />
          <Pager {...keysetPages(list.data)} href={href} go={turnPage} />
        </div>
      )}
    </Stack>
  );
}

/** Returns the names of the catalog records and applications by their IDs. Stored values contain only these IDs. */
function useNames(): Names {
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  return useMemo(
    () => new Map(Object.values(data ?? {}).flatMap((all) => all.map(({ id, name }) => [id, name]))),
    [data],
  );
}

function NoChanges({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  if (!filtered) {
    return <EmptyState title="No changes yet">Changes made in the Control Center appear here.</EmptyState>;
  }
  const action = (
    <Button variant="default" onClick={clear}>
      Clear filters
    </Button>
  );
  return (
    <EmptyState title="No matching changes" action={action}>
      No changes match the filters.
    </EmptyState>
  );
}
