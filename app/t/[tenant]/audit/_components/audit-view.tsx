'use client';

import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { fromFirstPage } from '../../_components/filters/filter-of';
import { EmptyState } from '../../_components/states';
import { ExportButton } from '../../_components/tables/export-button';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { AuditFilters } from './audit-filters';
import { AuditTable } from './audit-table';
import { LogList } from './log-list';
import { filterInput, NO_FILTERS, PARSERS } from './query';
import type { Names } from './values';

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
