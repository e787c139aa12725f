'use client';

import { Button, Checkbox, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link, TextLink } from '@/app/_components/link';
import { ConfirmDialog } from '../../../_components/dialogs/confirm-dialog';
import { SearchField } from '../../../_components/search/search-field';
import { EmptyState, NotLoaded, PastTheEnd } from '../../../_components/states';
import { Column, Columns, DataTable } from '../../../_components/tables/data-table';
import { numberedPages, Pager } from '../../../_components/tables/pager';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { useUndo } from '../../../_components/use-undo';
import { useUrlState } from '../../../_components/use-url-state';
import { CatalogFrame } from '../catalog-frame';
import { type KindTypes, type RecordKind, type RecordsPage, useProcedures } from '../kind';
import { LOCATION } from '../kinds/location';
import { SERVICE } from '../kinds/service';
import { SPECIALIST } from '../kinds/specialist';
import { UnofferedRows } from '../offers/unoffered-notice';
import { AffectedDialog, NOTHING_SEEN, useAffected } from '../records/affected-dialog';
import { Published } from '../records/published';
import type { KindName } from '../types';
import { UNOFFERED_NOTICE, useWords } from '../words';
import { changeState, isFiltered, type ListState, listInput, NO_FILTERS, PARSERS } from './list-state';
import { type Selection, useSelection } from './use-selection';

const RULES = { change: changeState };

type Props<K extends KindTypes> = { kind: RecordKind<K>; canEdit: boolean };

function RecordList<K extends KindTypes>({ kind, canEdit }: Props<K>) {
  const t = useTranslations('catalog.kinds');
  const { query: state, href, go } = useUrlState(PARSERS, RULES);
  const procedures = useProcedures(kind);
  const queries = useQueryClient();
  const input = (kind.listInput ?? listInput)(state);
  const list = useQuery(procedures.list.queryOptions(input, { placeholderData: keepPreviousData }));
  const selection = useSelection<K>(list.data?.records, (page) =>
    queries.fetchQuery(procedures.list.queryOptions({ ...input, page }, { staleTime: 0 })),
  );
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
        {list.isError || !list.data ? (
          <NotLoaded query={list} rows={6} height={52} />
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

const SELECT_WIDTH_PX = 36;

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
      minWidth={kind.minWidth + (selection ? SELECT_WIDTH_PX : 0)}
      busy={busy}
      dense
    >
      <Table.Thead>
        <Table.Tr>
          {selection && <SelectAll rows={rows} selection={selection} />}
          <Columns labels={[t('list.name'), t('list.status')]} />
          {kind.columns.map(({ key, numeric = false }) => (
            <Column key={key} label={t(key)} numeric={numeric} />
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
    <Table.Th scope="col" style={{ width: SELECT_WIDTH_PX }}>
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
        <TextLink href={`${kind.path}/${row.id}`} fz={13} fw={600}>
          {row.name}
        </TextLink>
      </Table.Th>
      <Table.Td data-label={t('list.status')} data-side>
        <Published kind={kind.name} published={row.published} />
      </Table.Td>
      {kind.columns.map(({ key, cell, numeric, plain = false }) => (
        <Table.Td key={key} data-label={plain ? undefined : t(key)} data-numeric={numeric}>
          {cell(row, words)}
        </Table.Td>
      ))}
    </>
  );
}

type BulkBarProps<K extends KindTypes> = {
  kind: RecordKind<K>;
  selection: Selection<K>;
  total: number;
  filtered: boolean;
};

function BulkBar<K extends KindTypes>({ kind, selection, total, filtered }: BulkBarProps<K>) {
  const t = useTranslations('catalog');
  const { rows, clear: onDone } = selection;
  const elsewhere = rows.length - selection.shown;
  const [opened, { open, close }] = useDisclosure();
  const [published, setPublished] = useState(true);
  const { change, affected } = useBulkPublish(kind, close, onDone);
  const ids = rows.map(({ id }) => id);
  const set = (confirmed: string) => change.mutate({ kind: kind.name, ids, published, confirmed });
  const ask = (next: boolean) => {
    setPublished(next);
    change.reset();
    open();
  };
  const count = rows.length;
  const unoffered = rows.filter((row) => kind.unoffered?.row(row));
  const isWarning = published && unoffered.length > 0;
  return (
    <Paper withBorder p="xs" bg="var(--app-surface)" component="section" aria-label={t(`kinds.${kind.name}.selection`)}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {t(`kinds.${kind.name}.selected`, { count, elsewhere })}
        </Text>
        <Button variant="default" size="xs" onClick={() => ask(true)} disabled={rows.every((row) => row.published)}>
          {t('bulk.publish')}
        </Button>
        <Button variant="default" size="xs" onClick={() => ask(false)} disabled={rows.every((row) => !row.published)}>
          {t('bulk.unpublish')}
        </Button>
        {kind.BulkAction && <kind.BulkAction rows={rows} onDone={onDone} />}
        {total > selection.shown && (
          <Button variant="subtle" size="xs" loading={selection.busy} onClick={() => void selection.selectMatching()}>
            {t(filtered ? 'bulk.selectMatching' : 'bulk.selectAll', { count: total })}
          </Button>
        )}
        <Button variant="subtle" size="xs" onClick={onDone}>
          {t('bulk.clear')}
        </Button>
      </Group>
      {selection.problem !== null && (
        <Text size="sm" c="red" role="alert">
          {selection.problem}
        </Text>
      )}
      <ConfirmDialog
        title={t(`kinds.${kind.name}.${published ? 'askPublish' : 'askUnpublish'}`, { count })}
        opened={opened}
        onClose={close}
        action={
          isWarning
            ? t('bulk.publishAnyway')
            : t(`kinds.${kind.name}.${published ? 'publishMany' : 'unpublishMany'}`, { count })
        }
        describedBy={isWarning ? UNOFFERED_NOTICE : undefined}
        danger={!published}
        busy={change.isPending}
        problem={change.error?.message ?? null}
        onConfirm={() => set(NOTHING_SEEN)}
      >
        {isWarning && <UnofferedRows rows={unoffered} path={kind.path} />}
        <Text size="sm">{t(published ? 'bulk.publishEffect' : 'bulk.unpublishEffect')}</Text>
      </ConfirmDialog>
      <AffectedDialog state={affected} busy={change.isPending} problem={change.error?.message} onConfirm={set} />
    </Paper>
  );
}

function useBulkPublish<K extends KindTypes>(kind: RecordKind<K>, close: () => void, onDone: () => void) {
  const t = useTranslations('catalog.kinds');
  const trpc = useTRPC();
  const done = useDone(trpc.catalog);
  const affected = useAffected();
  const showDone = useUndo();
  const change = useMutation(
    trpc.catalog.bulk.set_published.mutationOptions({
      onSuccess: (result, { published }) => {
        close();
        if ('affected' in result) return affected.show(result.affected);
        affected.close();
        onDone();
        const what = published ? 'published' : 'unpublished';
        showDone(t(`${kind.name}.${what}`, { count: result.changed }), result.undo);
        return done();
      },
    }),
  );
  return { change, affected };
}

// Routes pass only the name of a kind, because they are server components. These cannot pass the functions of a
// `RecordKind` to a client component. The pages with forms are in other files, so that this page does not load them.
export function RecordListPage({ kind, canEdit }: { kind: KindName; canEdit: boolean }) {
  if (kind === 'service') return <RecordList kind={SERVICE} canEdit={canEdit} />;
  if (kind === 'location') return <RecordList kind={LOCATION} canEdit={canEdit} />;
  return <RecordList kind={SPECIALIST} canEdit={canEdit} />;
}
