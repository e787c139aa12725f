'use client';

import { Box, Button, Code, Group, rem, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { inferParserType } from 'nuqs/server';
import { type ReactNode, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { AUDIT_FIELDS } from '@/lib/control-center/filters/fields';
import type { AuditChange, Inputs, Outputs } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { FilterFields, optionsOf, TextFilter } from '../../_components/filters/filter-fields';
import { filterOf, fromFirstPage, PAGING } from '../../_components/filters/filter-of';
import { CopyValue } from '../../_components/id';
import { EmptyState } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { ExportButton } from '../../_components/tables/export-button';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import { useTRPC } from '../../_components/trpc';
import { createHref } from '../../_components/url-href';
import { parseAsDate } from '../../_components/url-parsers';
import { useUrlState } from '../../_components/use-url-state';
import { AffectedDialog, NOTHING_SEEN, useAffected } from '../../catalog/_components/records/affected-dialog';
import styles from './audit.module.css';
import { openedBookings } from './booking-text';
import { actionName, kindName, shortId } from './format';
import { LogList, type TableProps } from './log-list';
import { sentenceOf } from './sentence';
import { objectHref, objectName } from './targets';
import type { Texts } from './texts';
import { type ChangeLine, linesOf, type Names } from './values';

const FILTER = filterOf(AUDIT_FIELDS);

/** The URL parameters of the Audit page. */
const PARSERS = {
  ...FILTER.parsers,
  // `from` and `to` are dates in the reader's time zone. The list includes changes on these dates and between them.
  from: parseAsDate,
  to: parseAsDate,
  ...PAGING,
};

/** The parsed values of the URL parameters. */
type AuditQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
const NO_FILTERS = { ...FILTER.none, from: null, to: null };

const createAuditHref = createHref(PARSERS);

/** Returns the URL of the Audit page with filters. */
function auditHref(query: Partial<AuditQuery>): string {
  return createAuditHref('/audit', query);
}

/** Converts the dates to the start of the day `from` and the end of the day `to`, in the reader's time zone. */
function filterInput(query: AuditQuery): Inputs['audit']['list'] {
  return {
    ...FILTER.inputOf(query),
    from: query.from && midnight(query.from, 0),
    to: query.to && midnight(query.to, 1),
  };
}

function midnight(date: string, daysLater: number): string {
  const at = new Date(`${date}T00:00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
}

/** The entries of the audit log, with filters for the person, the action, the object, and the date. */
export function AuditView() {
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: fromFirstPage });
  const choices = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  const names = useNames();
  const { cursor, back } = query;
  const input = { ...filterInput(query), cursor, back };
  const list = useQuery(trpc.audit.list.queryOptions(input, { placeholderData: keepPreviousData }));
  const isFiltered = (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => query[name] !== null);
  return (
    <LogList
      list={list}
      filters={
        <AuditFilters
          query={query}
          choices={choices.data}
          go={go}
          exporter={<ExportButton list="audit" input={filterInput(query)} />}
        />
      }
      empty={<NoChanges filtered={isFiltered} clear={() => go(NO_FILTERS)} />}
      rowHeight={64}
      table={(page) => <AuditTable names={names} {...page} />}
      href={href}
      go={go}
    />
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
  const t = useTranslations('audit.changes');
  const clearText = useTranslations('common.filters')('clear');
  if (!filtered) return <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>;
  const action = (
    <Button variant="default" onClick={clear}>
      {clearText}
    </Button>
  );
  return (
    <EmptyState title={t('noMatch.title')} action={action}>
      {t('noMatch.text')}
    </EmptyState>
  );
}

type Props = {
  query: AuditQuery;
  choices: Outputs['audit']['choices'] | undefined;
  go: (patch: Partial<AuditQuery>) => void;
  exporter: ReactNode;
};

function AuditFilters({ query, choices, go, exporter }: Props) {
  const t = useTranslations('audit');
  const others = (['operator', 'system'] as const).map((value) => ({ value, label: t(`actors.${value}`) }));
  const actions = (choices?.actions ?? []).map((value) => ({ value, label: actionName(t, value) }));
  const kinds = (choices?.kinds ?? []).map((value) => ({ value, label: kindName(t, value) }));
  return (
    <FilterFields
      query={query}
      go={go}
      selects={{
        person: {
          ...{ label: t('filters.person'), any: t('filters.anyone') },
          options: [...optionsOf(choices?.people), ...others],
        },
        action: { label: t('filters.action'), any: t('filters.anyAction'), options: actions },
        kind: { label: t('filters.kind'), any: t('filters.anyKind'), options: kinds },
      }}
      none={NO_FILTERS}
      cols={{ base: 2, md: 4 }}
      exporter={exporter}
    >
      <TextFilter
        label={t('filters.object')}
        placeholder={t('filters.objectHint')}
        maxLength={200}
        value={query.object}
        onChange={(object) => go({ object })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          label={t(`filters.${name}`)}
          type="date"
          value={query[name] ?? ''}
          onChange={(event) => go({ [name]: event.currentTarget.value || null })}
        />
      ))}
    </FilterFields>
  );
}

type AuditTableProps = TableProps<AuditChange> & { names: Names };

const COLUMNS = ['date', 'change', 'object', 'values'] as const;

function AuditTable({ lines, names, busy }: AuditTableProps) {
  const texts = useTexts();
  const { t } = texts;
  return (
    <DataTable
      caption={t('table.caption')}
      minWidth={900}
      busy={busy}
      columns={COLUMNS.map((name) => t(`table.${name}`))}
    >
      {lines.map((change) => (
        <Table.Tr key={change.id} style={{ verticalAlign: 'top' }}>
          <Table.Td data-label={t('table.date')} data-wide="all">
            <Ago value={change.at} both />
          </Table.Td>
          <Box
            component={Table.Td}
            data-label={t('table.change')}
            data-wide="all"
            miw={{ base: 0, md: 260 }}
            maw={380}
            style={{ overflowWrap: 'anywhere' }}
          >
            {t.rich('table.sentence', {
              actor: () => <Actor change={change} />,
              change: sentenceOf(texts, change),
            })}
            <Text fz={12} c="dimmed">
              {actionName(t, change.action)}
            </Text>
            {change.reversible && <UndoButton id={change.id} />}
          </Box>
          <Table.Td data-label={t('table.object')} data-wide style={{ maxWidth: rem(240), overflowWrap: 'anywhere' }}>
            <ChangedObject change={change} names={names} />
          </Table.Td>
          <Table.Td data-label={t('table.values')} data-wide="all">
            <Lines lines={linesOf(texts, change, names)} />
            {(change.before ?? change.after) !== null && <Stored change={change} />}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Actor({ change: { actor_kind, actor_id, actor_name } }: { change: AuditChange }) {
  const t = useTranslations('audit.actors');
  if (actor_kind === 'system' || actor_kind === 'operator') return t(actor_kind);
  return (
    <TextLink href={auditHref({ person: actor_id })} fz={13} underline="always">
      {actor_name ?? actor_id}
    </TextLink>
  );
}

function ChangedObject({ change, names }: { change: AuditChange; names: Names }) {
  const href = objectHref(change);
  const texts = useTexts();
  const { t } = texts;
  const name = objectName(texts, change, names) ?? kindName(t, change.object_kind);
  // A search that opened several bookings has one audit entry, whose object is only the first of them. No link is shown
  // here, because the last column of the table links to each of these bookings.
  if (openedBookings(change).length > 1) return name;
  return (
    <>
      {href ? (
        <TextLink href={href} fz={13} display="inline-block" lh={rem(24)}>
          {name}
        </TextLink>
      ) : (
        name
      )}
      <Group gap={2} wrap="nowrap">
        <TextLink
          href={auditHref({ object: change.object_id })}
          fz={12}
          ff="monospace"
          lh={rem(24)}
          style={{ whiteSpace: 'nowrap' }}
          title={change.object_id}
          aria-label={t('table.allChanges', { id: change.object_id })}
        >
          {shortId(change.object_id)}
        </TextLink>
        <CopyValue value={change.object_id} label={t('table.copy', { id: change.object_id })} />
      </Group>
    </>
  );
}

function Stored({ change: { before, after } }: { change: AuditChange }) {
  const t = useTranslations('audit.table');
  return (
    <details className={styles.stored}>
      <summary>{t('stored')}</summary>
      <Code block className={styles.json}>
        {JSON.stringify({ before, after }, null, 2)}
      </Code>
    </details>
  );
}

const MAX_LINES = 12;

function Lines({ lines }: { lines: ChangeLine[] }) {
  const t = useTranslations('audit.table');
  const format = useFormats();
  if (lines.length === 0) {
    return (
      <Text fz={13} c="dimmed">
        –
      </Text>
    );
  }
  return (
    <ul className={styles.differences}>
      {lines.slice(0, MAX_LINES).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an audit entry are fixed.
        <li key={index}>
          <Line line={line} />
        </li>
      ))}
      {lines.length > MAX_LINES && (
        <li className={styles.field}>{t('more', { count: format.count(lines.length - MAX_LINES) })}</li>
      )}
    </ul>
  );
}

const field = (chunks: ReactNode) => <span className={styles.field}>{chunks}</span>;

function Line({ line }: { line: ChangeLine }) {
  const t = useTranslations('audit');
  if ('verb' in line) return t.rich(`lines.${line.verb}`, { label: line.label, text: line.text, field });
  return (
    <>
      {field(line.label)}{' '}
      {line.before !== null && (
        <>
          {line.before}
          <span aria-hidden> → </span>
          <VisuallyHidden>{t('table.now')}</VisuallyHidden>
        </>
      )}
      {line.after}
    </>
  );
}

function useTexts(): Texts {
  return { t: useTranslations('audit'), words: useTranslations('words'), format: useFormats() };
}

function UndoButton({ id }: { id: string }) {
  const t = useTranslations('audit.undo');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const affected = useAffected();
  const undo = useMutation(
    trpc.audit.undo.mutationOptions({
      onSuccess: async (result) => {
        close();
        if ('affected' in result) return affected.show(result.affected);
        affected.close();
        notifications.show({ message: t('done') });
        await queries.invalidateQueries();
      },
    }),
  );
  const run = (confirmed: string) => undo.mutate({ entry_ids: [id], confirmed });
  return (
    <>
      <Button variant="default" size="compact-xs" mt={4} onClick={open}>
        {t('button')}
      </Button>
      <ConfirmDialog
        title={t('title')}
        opened={opened}
        onClose={close}
        action={t('confirm')}
        change={undo}
        onConfirm={() => run(NOTHING_SEEN)}
      >
        <Text size="sm">{t('text')}</Text>
      </ConfirmDialog>
      <AffectedDialog state={affected} busy={undo.isPending} problem={undo.error?.message} onConfirm={run} />
    </>
  );
}
