'use client';

import { Box, Button, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Ref, useRef } from 'react';
import { Ago } from '../../../_components/ago';
import type { RefusedCallLine } from '../../../_components/api-types';
import { Columns, DataTable } from '../../../_components/data-table';
import { keysetPages, Pager } from '../../../_components/pager';
import { withCurrent } from '../../../_components/select-options';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { Table } from '../../../_components/table';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { changeQuery, isFiltered, listInput, NO_FILTERS, PARSERS, REASONS, type RefusedQuery } from './query';

/** The refused calls of all members, with filters for the person and the reason. */
export function RefusedView() {
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: changeQuery });
  const list = useQuery(trpc.audit.refused_calls.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  const frame = useRef<HTMLDivElement>(null);
  const turnPage = (patch: Partial<RefusedQuery>) => {
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
        <EmptyState title={isFiltered(query) ? 'No matching calls' : 'No refused calls'}>
          {isFiltered(query)
            ? 'No refused calls from the last 90 days match the filters.'
            : 'No member tried something that is not allowed in the last 90 days.'}
        </EmptyState>
      ) : (
        <div>
          <RefusedTable lines={list.data.lines} busy={list.isPlaceholderData} frame={frame} />
          <Pager {...keysetPages(list.data)} href={href} go={turnPage} />
        </div>
      )}
    </Stack>
  );
}

type TableProps = { lines: RefusedCallLine[]; busy: boolean; frame: Ref<HTMLDivElement> };

function RefusedTable({ lines, busy, frame }: TableProps) {
  return (
    <DataTable caption="Refused calls, latest first" minWidth={760} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Date', 'Person', 'Call', 'Reason', 'Times']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.id}>
            <Table.Td data-label="Date">
              <Ago value={line.at} both />
            </Table.Td>
            <Table.Td data-label="Person" style={{ overflowWrap: 'anywhere' }}>
              {line.user_name}
            </Table.Td>
            <Box component={Table.Td} data-label="Call" ff={line.procedure ? 'monospace' : undefined} fz={13}>
              {line.procedure ?? 'Several calls'}
            </Box>
            <Table.Td data-label="Reason">{REASONS[line.code]}</Table.Td>
            <Table.Td data-label="Times">{line.calls}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

type FilterProps = { query: RefusedQuery; go: (patch: Partial<RefusedQuery>) => void };

function Filters({ query, go }: FilterProps) {
  const trpc = useTRPC();
  const choices = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  const people = (choices.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const reasons = Object.entries(REASONS).map(([value, label]) => ({ value, label }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 3, lg: 5 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect
        label="Person"
        value={query.person ?? ''}
        onChange={(event) => go({ person: event.currentTarget.value || null })}
        data={withCurrent([{ value: '', label: 'Anyone' }, ...people], query.person)}
      />
      <NativeSelect
        label="Reason"
        value={query.reason ?? ''}
        onChange={(event) => go({ reason: PARSERS.reason.parse(event.currentTarget.value) })}
        data={[{ value: '', label: 'Any reason' }, ...reasons]}
      />
      <Button variant="default" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
        Clear filters
      </Button>
    </SimpleGrid>
  );
}
