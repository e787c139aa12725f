'use client';

import { Anchor, Button, Checkbox, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from '@/app/_components/link';
import { plural } from '../../_components/format';
import { SearchField } from '../../_components/search/search-field';
import { EmptyState, ErrorState, LoadingRows, PastTheEnd } from '../../_components/states';
import { Column, Columns, DataTable } from '../../_components/tables/data-table';
import { numberedPages, Pager } from '../../_components/tables/pager';
import { Table } from '../../_components/tables/table';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { BulkBar } from './bulk-bar';
import { CatalogFrame } from './catalog-frame';
import type { KindTypes, RecordKind, RecordsPage } from './kind';
import { changeState, type ListState, listInput, PARSERS } from './list-state';
import { Published } from './published';
import type { Refusal } from './use-record-form';

const RULES = { change: changeState };

type Props<K extends KindTypes> = { kind: RecordKind<K>; canEdit: boolean };

/** Lists the records of one kind. */
export function RecordList<K extends KindTypes>({ kind, canEdit }: Props<K>) {
  const { query: state, href, go } = useUrlState(PARSERS, RULES);
  const trpc = useTRPC();
  const procedures = kind.useProcedures();
  const input = listInput(state);
  const list = useQuery<RecordsPage<K['row']>, Refusal>({
    queryKey: trpc.catalog[kind.router].list.queryKey(input),
    queryFn: () => procedures.list.query(input),
    placeholderData: keepPreviousData,
  });
  const create = canEdit && (
    <Button component={Link} href={`${kind.path}/new`} leftSection={<IconPlus size={16} aria-hidden />}>
      New {kind.name}
    </Button>
  );
  const actions = (
    <>
      {canEdit && kind.ListAction && <kind.ListAction />}
      {create}
    </>
  );
  return (
    <CatalogFrame title={kind.title} lead={kind.lead} actions={actions}>
      <Stack gap="md">
        <Toolbar state={state} go={go} />
        {list.isError ? (
          <ErrorState error={list.error} retry={() => void list.refetch()} />
        ) : !list.data ? (
          <LoadingRows rows={6} height={52} />
        ) : (
          <Results
            kind={kind}
            state={state}
            href={href}
            go={go}
            page={list.data}
            busy={list.isPlaceholderData}
            create={create}
            canEdit={canEdit}
          />
        )}
      </Stack>
    </CatalogFrame>
  );
}

type Go = (patch: Partial<ListState>) => void;

function Toolbar({ state: { search, status }, go }: { state: ListState; go: Go }) {
  return (
    <Group gap="sm">
      <SearchField
        label="Search by name or ID"
        value={search ?? ''}
        onSearch={(text) => go({ search: text || null })}
      />
      <SegmentedControl
        aria-label="Status"
        value={status ?? 'any'}
        onChange={(value) => go({ status: value === 'any' ? null : (value as ListState['status']) })}
        data={[
          { value: 'any', label: 'All' },
          { value: 'published', label: 'Published' },
          { value: 'unpublished', label: 'Unpublished' },
        ]}
      />
    </Group>
  );
}

type ResultsProps<K extends KindTypes> = {
  kind: RecordKind<K>;
  state: ListState;
  href: (patch: Partial<ListState>) => string;
  go: Go;
  page: RecordsPage<K['row']>;
  busy: boolean;
  /** The button for a new record; false if the user's role does not allow editing the catalog. */
  create: ReactNode;
  canEdit: boolean;
};

function Results<K extends KindTypes>({ kind, state, href, go, page, busy, create, canEdit }: ResultsProps<K>) {
  const { records, total, page_size: size } = page;
  if (total === 0 && (state.search !== null || state.status !== null)) return <NoMatches go={go} />;
  if (total === 0) {
    return (
      <EmptyState title={`No ${kind.router} yet`} action={create}>
        {kind.empty}
      </EmptyState>
    );
  }
  const { last, ...pages } = numberedPages(state.page, total, size);
  const count = plural(total, kind.name);
  const summary = last === 1 || state.page > last ? count : `Page ${state.page} of ${last}, ${count}`;
  return (
    <>
      {records.length === 0 ? (
        <PastTheEnd page={state.page} onFirst={() => go({ page: 1 })} />
      ) : (
        <RecordTable kind={kind} rows={records} busy={busy} canEdit={canEdit} />
      )}
      <Pager {...pages} summary={summary} href={href} go={go} />
    </>
  );
}

function NoMatches({ go }: { go: Go }) {
  const action = (
    <Button variant="default" onClick={() => go({ search: null, status: null })}>
      Clear filters
    </Button>
  );
  return (
    <EmptyState title="No matching results" action={action}>
      Try a different search or status.
    </EmptyState>
  );
}

/** Width of the checkbox column in pixels. */
const SELECT_WIDTH = 36;

type TableProps<K extends KindTypes> = { kind: RecordKind<K>; rows: K['row'][]; busy: boolean; canEdit: boolean };

function RecordTable<K extends KindTypes>({ kind, rows, busy, canEdit }: TableProps<K>) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const selected = rows.filter(({ id }) => chosen.includes(id));
  const select = (id: string, on: boolean) => setChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id));
  const labels = ['Name', 'Status', ...kind.columns.map(({ label }) => label)];
  return (
    <>
      {selected.length > 0 && (
        <BulkBar
          kind={kind}
          rows={selected}
          onSelectAll={() => setChosen(rows.map(({ id }) => id))}
          onDone={() => setChosen([])}
        />
      )}
      <DataTable caption={kind.title} minWidth={kind.minWidth + (canEdit ? SELECT_WIDTH : 0)} busy={busy}>
        <Table.Thead>
          <Table.Tr>
            {canEdit && <Column label="Select" hidden />}
            <Columns labels={labels} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              {canEdit && (
                <Table.Td style={{ width: SELECT_WIDTH }}>
                  <Checkbox
                    size="xs"
                    aria-label={`Select ${row.name}`}
                    checked={chosen.includes(row.id)}
                    onChange={(event) => select(row.id, event.currentTarget.checked)}
                  />
                </Table.Td>
              )}
              <Cells kind={kind} row={row} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
    </>
  );
}

function Cells<K extends KindTypes>({ kind, row }: { kind: RecordKind<K>; row: K['row'] }) {
  return (
    <>
      <Table.Th scope="row" role="rowheader">
        <Anchor component={Link} href={`${kind.path}/${row.id}`} fz={13} fw={600}>
          {row.name}
        </Anchor>
      </Table.Th>
      <Table.Td data-label="Status">
        <Published published={row.published} />
      </Table.Td>
      {kind.columns.map(({ label, cell }) => (
        <Table.Td key={label} data-label={label}>
          {cell(row)}
        </Table.Td>
      ))}
    </>
  );
}
