'use client';

import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import type { Inputs, RefusedCallLine } from '../../../_components/api-types';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { Ago } from '../../../_components/time/ago';
import { useTRPC } from '../../../_components/trpc';
import { parseAsCursor, parseAsFlag, parseAsText } from '../../../_components/url-parsers';
import { useUrlState } from '../../../_components/use-url-state';
import { PersonFilters, PersonList, type TableProps } from '../../_components/person-list';

/** For each code of a refused call: why the call was refused, as the page displays it. */
const REASONS: Record<RefusedCallLine['code'], string> = {
  forbidden: 'Role not allowed',
  not_found: 'Not found',
  second_factor_required: 'No second factor',
};

/** The URL parameters of the list of refused calls. */
const PARSERS = {
  person: parseAsText(),
  reason: parseAsStringLiteral(['forbidden', 'not_found', 'second_factor_required'] as const),
  cursor: parseAsCursor,
  back: parseAsFlag,
};

/** The parsed values of the URL parameters. */
type RefusedQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
const NO_FILTERS = { person: null, reason: null } as const;

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
function changeQuery(query: RefusedQuery, patch: Partial<RefusedQuery>): RefusedQuery {
  return { ...query, cursor: null, back: false, ...patch };
}

/** Returns the input of the `audit.refused_calls` procedure. */
function listInput({ person, reason, cursor, back }: RefusedQuery): Inputs['audit']['refused_calls'] {
  return { person, code: reason, cursor, back };
}

/** Returns whether any filter is set. */
function isFiltered({ person, reason }: RefusedQuery): boolean {
  return person !== null || reason !== null;
}

const CHOICES = [
  { value: '', label: 'Any reason' },
  ...Object.entries(REASONS).map(([value, label]) => ({ value, label })),
];

const NONE = {
  title: 'No refused calls',
  text: 'No member tried something that is not allowed in the last 90 days.',
};
const NO_MATCH = { title: 'No matching calls', text: 'No refused calls from the last 90 days match the filters.' };

/** The refused calls of all members, with filters for the person and the reason. */
export function RefusedView() {
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: changeQuery });
  const list = useQuery(trpc.audit.refused_calls.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  const setReason = (value: string) => go({ reason: PARSERS.reason.parse(value) });
  const filters = (
    <PersonFilters
      person={query.person}
      other={{ label: 'Reason', value: query.reason, choices: CHOICES, onChange: setReason }}
      onPerson={(person) => go({ person })}
      onClear={() => go(NO_FILTERS)}
    />
  );
  const empty = isFiltered(query) ? NO_MATCH : NONE;
  return <PersonList list={list} filters={filters} empty={empty} table={RefusedTable} href={href} go={go} />;
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
