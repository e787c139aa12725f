'use client';

import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { SearchField } from '../../_components/search/search-field';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows, PastTheEnd } from '../../_components/states';
import { numberedPages, Pager } from '../../_components/tables/pager';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { ApplicationTable } from './application-table';
import { changeQuery, type ListQuery, PARSERS } from './list-query';

/** Lists the business's applications, each with its traffic and a button to suspend it. */
export function ApplicationList({ canEdit }: { canEdit: boolean }) {
  const state = useUrlState(PARSERS, { change: changeQuery });
  const { query, go } = state;
  const t = useTranslations('applications.list');
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} actions={canEdit && <NewApplicationLink />} />
      <Stack gap="md">
        <Group gap="sm">
          <SearchField label={t('search')} value={query.search} onSearch={(search) => go({ search }, 'replace')} />
          <SegmentedControl
            aria-label={t('status')}
            value={query.status}
            onChange={(status) => go({ status: status as ListQuery['status'] })}
            data={[
              { value: 'any', label: t('all') },
              { value: 'active', label: t('active') },
              { value: 'suspended', label: t('suspended') },
            ]}
          />
        </Group>
        <Results state={state} canEdit={canEdit} />
      </Stack>
    </>
  );
}

function NewApplicationLink() {
  const t = useTranslations('applications.list');
  return (
    <Button component={Link} href="/applications/new" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('new')}
    </Button>
  );
}

type State = ReturnType<typeof useUrlState<typeof PARSERS>>;

function Results({ state: { query, href, go }, canEdit }: { state: State; canEdit: boolean }) {
  const trpc = useTRPC();
  const list = useQuery(trpc.applications.list.queryOptions(query, { placeholderData: keepPreviousData }));
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={6} height={64} />;
  const { applications, total, page_size: size } = list.data;
  if (total === 0) return <NoApplications canEdit={canEdit} query={query} go={go} />;
  return (
    <Stack gap="sm">
      {applications.length === 0 ? (
        <PastTheEnd page={query.page} onFirst={() => go({ page: 1 })} />
      ) : (
        <ApplicationTable
          applications={applications}
          query={query}
          busy={list.isPlaceholderData}
          onSort={(sort, direction) => go({ sort, direction })}
        />
      )}
      <Pages query={query} total={total} size={size} href={href} go={go} />
    </Stack>
  );
}

function NoApplications({ canEdit, query, go }: Pick<State, 'query' | 'go'> & { canEdit: boolean }) {
  const t = useTranslations('applications.list');
  if (query.search !== '' || query.status !== 'any') {
    const action = (
      <Button variant="default" onClick={() => go({ search: '', status: 'any' })}>
        {t('noMatch.showAll')}
      </Button>
    );
    return (
      <EmptyState title={t('noMatch.title')} action={action}>
        {t('noMatch.text')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('empty.title')} action={canEdit && <NewApplicationLink />}>
      {t('empty.text')}
    </EmptyState>
  );
}

type PagesProps = State & { total: number; size: number };

function Pages({ query: { page }, total, size, href, go }: PagesProps) {
  const t = useTranslations('applications.list');
  const { last, previous, next } = numberedPages(page, total, size);
  const range = { from: (page - 1) * size + 1, to: Math.min(page * size, total), total };
  const summary = last === 1 || page > last ? t('count', { count: total }) : t('range', range);
  return <Pager previous={previous} next={next} summary={summary} href={href} go={go} />;
}
