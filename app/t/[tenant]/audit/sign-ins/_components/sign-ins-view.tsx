'use client';

import { Box, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { SIGN_IN_FIELDS } from '@/lib/control-center/filters/fields';
import type { SignInLine } from '../../../_components/api-types';
import { FilterFields } from '../../../_components/filters/filter-fields';
import { filterOf, fromFirstPage, PAGING } from '../../../_components/filters/filter-of';
import { EmptyState } from '../../../_components/states';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { StateBadge } from '../../../applications/_components/state-badge';
import { LogList, MemberLogTable, type TableProps, usePersonSelect } from '../../_components/log-list';

const FILTER = filterOf(SIGN_IN_FIELDS);

const PARSERS = { ...FILTER.parsers, ...PAGING };

/** The sign-ins of all members, with filters for the person and the result. */
export function SignInsView() {
  const t = useTranslations('audit.signIns');
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: fromFirstPage });
  const input = { ...FILTER.inputOf(query), cursor: query.cursor, back: query.back };
  const list = useQuery(trpc.audit.sign_ins.queryOptions(input, { placeholderData: keepPreviousData }));
  const results = (['succeeded', 'failed'] as const).map((value) => ({ value, label: t(value) }));
  const filters = (
    <FilterFields
      query={query}
      go={go}
      selects={{ person: usePersonSelect(), result: { label: t('result'), any: t('anyResult'), options: results } }}
      none={FILTER.none}
      cols={{ base: 3, lg: 5 }}
    />
  );
  const empty = <EmptyState title={t('noMatch.title')}>{t('noMatch.text')}</EmptyState>;
  return (
    <LogList
      list={list}
      filters={filters}
      empty={empty}
      table={(page) => <SignInsTable {...page} />}
      href={href}
      go={go}
    />
  );
}

const COLUMNS = ['date', 'person', 'result', 'address', 'attempts'] as const;

function SignInsTable(page: TableProps<SignInLine>) {
  const t = useTranslations('audit.signIns');
  const format = useFormats();
  return (
    <MemberLogTable
      {...page}
      caption={t('caption')}
      columns={COLUMNS.map((name) => t(name))}
      cells={(line) => (
        <>
          <Table.Td data-label={t('result')}>
            <Result line={line} />
          </Table.Td>
          <Box component={Table.Td} data-label={t('address')} ff={line.network ? 'monospace' : undefined} fz={13}>
            {line.network ?? t('severalAddresses')}
          </Box>
          <Table.Td data-label={t('attempts')}>{format.count(line.attempts)}</Table.Td>
        </>
      )}
    />
  );
}

function Result({ line: { outcome, method } }: { line: SignInLine }) {
  const t = useTranslations('audit.signIns');
  if (outcome !== 'signed_in') return <StateBadge tone="bad">{t(`failures.${outcome}`)}</StateBadge>;
  return (
    <>
      <StateBadge tone="good">{t('succeeded')}</StateBadge>
      <Text span fz={12} c="dimmed" ml={6} display="inline-block">
        {t(`methods.${method}`)}
      </Text>
    </>
  );
}
