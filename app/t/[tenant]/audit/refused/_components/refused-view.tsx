'use client';

import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { REFUSED_FIELDS } from '@/lib/control-center/filters/fields';
import type { RefusedCallLine } from '../../../_components/api-types';
import { FilterFields } from '../../../_components/filters/filter-fields';
import { filterOf, fromFirstPage, PAGING } from '../../../_components/filters/filter-of';
import { EmptyState } from '../../../_components/states';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { Ago } from '../../../_components/time/ago';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { LogList, type TableProps, usePersonSelect } from '../../_components/log-list';

/** For each code of a refused call: why the call was refused, as the page displays it. */
const REASONS: Record<RefusedCallLine['code'], string> = {
  forbidden: 'Role not allowed',
  not_found: 'Not found',
  second_factor_required: 'No second factor',
};

const FILTER = filterOf(REFUSED_FIELDS);

/** The URL parameters of the list of refused calls. */
const PARSERS = { ...FILTER.parsers, ...PAGING };

const OPTIONS = Object.entries(REASONS).map(([value, label]) => ({ value, label }));

/** The refused calls of all members, with filters for the person and the reason. */
export function RefusedView() {
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: fromFirstPage });
  const input = { ...FILTER.inputOf(query), cursor: query.cursor, back: query.back };
  const list = useQuery(trpc.audit.refused_calls.queryOptions(input, { placeholderData: keepPreviousData }));
  const filters = (
    <FilterFields
      query={query}
      go={go}
      selects={{ person: usePersonSelect(), reason: { label: 'Reason', any: 'Any reason', options: OPTIONS } }}
      none={FILTER.none}
      cols={{ base: 3, lg: 5 }}
    />
  );
  const empty = FILTER.isSet(query) ? (
    <EmptyState title="No matching calls">No refused calls from the last 90 days match the filters.</EmptyState>
  ) : (
    <EmptyState title="No refused calls">No member tried something that is not allowed in the last 90 days.</EmptyState>
  );
  return <LogList list={list} filters={filters} empty={empty} table={RefusedTable} href={href} go={go} />;
}

function RefusedTable({ lines, busy, frame }: TableProps<RefusedCallLine>) {
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
