'use client';

import { Anchor, Button, Checkbox, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
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
import { changeState, isFiltered, type ListState, listInput, NO_FILTERS, PARSERS } from './list-state';
import { Published } from './published';
import type { Refusal } from './use-record-form';
import { type Selection, useSelection } from './use-selection';
import { useWords } from './words';

const RULES = { change: changeState };

type Props<K extends KindTypes> = { kind: RecordKind<K>; canEdit: boolean };

/** Lists the records of one kind. */
export function RecordList<K extends KindTypes>({ kind, canEdit }: Props<K>) {
  const t = useTranslations('catalog.kinds');
  const { query: state, href, go } = useUrlState(PARSERS, RULES);
  const trpc = useTRPC();
  const procedures = kind.useProcedures();
  const input = (kind.listInput ?? listInput)(state);
  const list = useQuery<RecordsPage<K['row']>, Refusal>({
    queryKey: trpc.catalog[kind.router].list.queryKey(input),
    queryFn: () => procedures.list.query(input),
    placeholderData: keepPreviousData,
  });
  const selection = useSelection<K>(list.data?.records, (page) => procedures.list.query({ ...input, page }));
  const create = canEdit && (
    <Button component={Link} href={`${kind.path}/new`} leftSection={<IconPlus size={16} aria-hidden />}>
      {t(`${kind.name}.new`)}
    </Button>
  );
  const actions = (
    <>
      {canEdit && kind.ListAction && <kind.ListAction />}
      {create}
    </>
  );
  return (
    <CatalogFrame title={t(`${kind.name}.title`)} lead={t(`${kind.name}.lead`)} actions={actions}>
      <Stack gap="md">
        <Toolbar kind={kind} state={state} go={go} />
        {selection.rows.length > 0 && (
          <BulkBar kind={kind} selection={selection} total={list.data?.total ?? 0} filtered={isFiltered(state)} />
        )}
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
            selection={canEdit ? selection : null}
          />
        )}
      </Stack>
    </CatalogFrame>
  );
}

type Go = (patch: Partial<ListState>) => void;

type ToolbarProps<K extends KindTypes> = { kind: RecordKind<K>; state: ListState; go: Go };

function Toolbar<K extends KindTypes>({ kind, state, go }: ToolbarProps<K>) {
  const t = useTranslations('catalog');
  const { search, status } = state;
  return (
    <Group gap="sm">
      <SearchField
        label={t(`kinds.${kind.name}.search`)}
        value={search ?? ''}
        onSearch={(text) => go({ search: text || null })}
      />
      <SegmentedControl
        aria-label={t('list.status')}
        value={status ?? 'any'}
        onChange={(value) => go({ status: value === 'any' ? null : (value as ListState['status']) })}
        data={[
          { value: 'any', label: t(`kinds.${kind.name}.all`) },
          { value: 'published', label: t(`kinds.${kind.name}.onlyPublished`) },
          { value: 'unpublished', label: t(`kinds.${kind.name}.onlyUnpublished`) },
        ]}
      />
      {kind.Filter && <kind.Filter state={state} go={go} />}
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
  /** Null if the user's role does not allow editing the catalog. */
  selection: Selection<K> | null;
};

function Results<K extends KindTypes>({ kind, state, href, go, page, busy, create, selection }: ResultsProps<K>) {
  const t = useTranslations('catalog.kinds');
  const { records, total, page_size: size } = page;
  if (total === 0 && isFiltered(state)) return <NoMatches go={go} />;
  if (total === 0) {
    return (
      <EmptyState title={t(`${kind.name}.none`)} action={create}>
        {t(`${kind.name}.empty`)}
      </EmptyState>
    );
  }
  const { last, ...pages } = numberedPages(state.page, total, size);
  const summary =
    last === 1 || state.page > last
      ? t(`${kind.name}.count`, { count: total })
      : t(`${kind.name}.page`, { page: state.page, last, count: total });
  return (
    <>
      {records.length === 0 ? (
        <PastTheEnd page={state.page} onFirst={() => go({ page: 1 })} />
      ) : (
        <RecordTable kind={kind} rows={records} busy={busy} selection={selection} />
      )}
      <Pager {...pages} summary={summary} href={href} go={go} />
    </>
  );
}

function NoMatches({ go }: { go: Go }) {
  const t = useTranslations('catalog.list');
  const action = (
    <Button variant="default" onClick={() => go(NO_FILTERS)}>
      {t('clearFilters')}
    </Button>
  );
  return (
    <EmptyState title={t('noMatches')} action={action}>
      {t('otherFilters')}
    </EmptyState>
  );
}

/** Width of the checkbox column in pixels. */
const SELECT_WIDTH = 36;

type TableProps<K extends KindTypes> = {
  kind: RecordKind<K>;
  rows: K['row'][];
  busy: boolean;
  selection: Selection<K> | null;
};

function RecordTable<K extends KindTypes>({ kind, rows, busy, selection }: TableProps<K>) {
  const t = useTranslations('catalog');
  return (
    <DataTable
      caption={t(`kinds.${kind.name}.title`)}
      minWidth={kind.minWidth + (selection ? SELECT_WIDTH : 0)}
      busy={busy}
      dense
    >
      <Table.Thead>
        <Table.Tr>
          {selection && <SelectAll rows={rows} selection={selection} />}
          <Columns labels={[t('list.name'), t('list.status')]} />
          {kind.columns.map(({ label, numeric = false }) => (
            <Column key={label} label={t(`columns.${label}`)} numeric={numeric} />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            {selection && (
              <Table.Td>
                <Checkbox
                  size="xs"
                  aria-label={t('list.select', { name: row.name })}
                  checked={selection.has(row.id)}
                  onChange={(event) => selection.set([row], event.currentTarget.checked)}
                />
              </Table.Td>
            )}
            <Cells kind={kind} row={row} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

type SelectAllProps<K extends KindTypes> = { rows: K['row'][]; selection: Selection<K> };

function SelectAll<K extends KindTypes>({ rows, selection }: SelectAllProps<K>) {
  const t = useTranslations('catalog.list');
  const count = rows.filter(({ id }) => selection.has(id)).length;
  return (
    <Table.Th scope="col" style={{ width: SELECT_WIDTH }}>
      <Checkbox
        size="xs"
        aria-label={t('selectPage')}
        checked={count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={(event) => selection.set(rows, event.currentTarget.checked)}
      />
    </Table.Th>
  );
}

function Cells<K extends KindTypes>({ kind, row }: { kind: RecordKind<K>; row: K['row'] }) {
  const words = useWords();
  const { t } = words;
  return (
    <>
      <Table.Th scope="row" role="rowheader">
        <Anchor component={Link} href={`${kind.path}/${row.id}`} fz={13} fw={600}>
          {row.name}
        </Anchor>
      </Table.Th>
      <Table.Td data-label={t('list.status')} data-side>
        <Published kind={kind.name} published={row.published} />
      </Table.Td>
      {kind.columns.map(({ label, cell, numeric, plain = false }) => (
        <Table.Td key={label} data-label={plain ? undefined : t(`columns.${label}`)} data-numeric={numeric}>
          {cell(row, words)}
        </Table.Td>
      ))}
    </>
  );
}
