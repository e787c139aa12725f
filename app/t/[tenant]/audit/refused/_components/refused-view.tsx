'use client';

import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { REFUSED_FIELDS } from '@/lib/control-center/filters/fields';
import type { RefusedCallLine } from '../../../_components/api-types';
import { FilterFields } from '../../../_components/filters/filter-fields';
import { filterOf, fromFirstPage, PAGING } from '../../../_components/filters/filter-of';
import { EmptyState } from '../../../_components/states';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { LogList, MemberLogTable, type TableProps, usePersonSelect } from '../../_components/log-list';

const REASONS = ['forbidden', 'not_found', 'second_factor_required'] as const satisfies RefusedCallLine['code'][];

const COLUMNS = ['date', 'person', 'call', 'reason', 'times'] as const;

const FILTER = filterOf(REFUSED_FIELDS);

const PARSERS = { ...FILTER.parsers, ...PAGING };

/** The refused calls of all members, with filters for the person and the reason. */
export function RefusedView() {
  const t = useTranslations('audit.refused');
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: fromFirstPage });
  const input = { ...FILTER.inputOf(query), cursor: query.cursor, back: query.back };
  const list = useQuery(trpc.audit.refused_calls.queryOptions(input, { placeholderData: keepPreviousData }));
  const reasons = REASONS.map((value) => ({ value, label: t(`reasons.${value}`) }));
  const filters = (
    <FilterFields
      query={query}
      go={go}
      selects={{ person: usePersonSelect(), reason: { label: t('reason'), any: t('anyReason'), options: reasons } }}
      none={FILTER.none}
      cols={{ base: 3, lg: 5 }}
    />
  );
  const empty = FILTER.isSet(query) ? (
    <EmptyState title={t('noMatch.title')}>{t('noMatch.text')}</EmptyState>
  ) : (
    <EmptyState title={t('none.title')}>{t('none.text')}</EmptyState>
  );
  return (
    <LogList
      list={list}
      filters={filters}
      empty={empty}
      table={(page) => <RefusedTable {...page} />}
      href={href}
      go={go}
    />
  );
}

function RefusedTable(page: TableProps<RefusedCallLine>) {
  const t = useTranslations('audit.refused');
  const format = useFormats();
  return (
    <MemberLogTable
      {...page}
      caption={t('caption')}
      columns={COLUMNS.map((name) => t(name))}
      cells={(line) => (
        <>
          <Box component={Table.Td} data-label={t('call')} ff={line.procedure ? 'monospace' : undefined} fz={13}>
            {line.procedure ?? t('severalCalls')}
          </Box>
          <Table.Td data-label={t('reason')}>{t(`reasons.${line.code}`)}</Table.Td>
          <Table.Td data-label={t('times')}>{format.count(line.calls)}</Table.Td>
        </>
      )}
    />
  );
}
