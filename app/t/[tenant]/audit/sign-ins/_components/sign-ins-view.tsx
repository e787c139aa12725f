'use client';

import { Button, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { keysetPages, Pager } from '../../../_components/pager';
import { withCurrent } from '../../../_components/select-options';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { changeQuery, isFiltered, listInput, NO_FILTERS, PARSERS, type SignInsQuery } from './query';
import { SignInsTable } from './sign-ins-table';

/** The sign-ins of all members, with filters for the person and the result. */
export function SignInsView() {
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: changeQuery });
  const list = useQuery(trpc.audit.sign_ins.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  const frame = useRef<HTMLDivElement>(null);
  const turnPage = (patch: Partial<SignInsQuery>) => {
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
      <Filters query={query} go={go} />
      {!list.data ? (
        <LoadingRows rows={8} height={44} />
      ) : list.data.lines.length === 0 ? (
        <EmptyState title="No matching sign-ins">No sign-ins from the last 90 days match the filters.</EmptyState>
      ) : (
        <div>
          <SignInsTable lines={list.data.lines} busy={list.isPlaceholderData} frame={frame} />
          <Pager {...keysetPages(list.data)} href={href} go={turnPage} />
        </div>
      )}
    </Stack>
  );
}

type FilterProps = { query: SignInsQuery; go: (patch: Partial<SignInsQuery>) => void };

function Filters({ query, go }: FilterProps) {
  const trpc = useTRPC();
  const choices = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  const people = (choices.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const setResult = (value: string) => go({ result: value === 'succeeded' || value === 'failed' ? value : null });
  return (
    <SimpleGrid cols={{ base: 1, xs: 3, lg: 5 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect
        label="Person"
        value={query.person ?? ''}
        onChange={(event) => go({ person: event.currentTarget.value || null })}
        data={withCurrent([{ value: '', label: 'Anyone' }, ...people], query.person)}
      />
      <NativeSelect
        label="Result"
        value={query.result ?? ''}
        onChange={(event) => setResult(event.currentTarget.value)}
        data={[
          { value: '', label: 'Any result' },
          { value: 'succeeded', label: 'Signed in' },
          { value: 'failed', label: 'Failed' },
        ]}
      />
      <Button variant="default" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
        Clear filters
      </Button>
    </SimpleGrid>
  );
}
