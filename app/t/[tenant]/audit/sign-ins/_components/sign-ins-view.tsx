'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { SIGN_IN_FIELDS } from '@/lib/control-center/filters/fields';
import { FilterFields } from '../../../_components/filters/filter-fields';
import { filterOf, fromFirstPage, PAGING } from '../../../_components/filters/filter-of';
import { EmptyState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { LogList, usePersonSelect } from '../../_components/log-list';
import { SignInsTable } from './sign-ins-table';

const FILTER = filterOf(SIGN_IN_FIELDS);

/** The URL parameters of the sign-in list. */
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
