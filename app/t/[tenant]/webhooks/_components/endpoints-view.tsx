'use client';

import { Anchor, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { EmptyState, ErrorState, LoadingRows, PastTheEnd } from '../../_components/states';
import { numberedPages, Pager } from '../../_components/tables/pager';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { EndpointTable } from './endpoint-table';
import { PARSERS } from './query';

/** Lists the endpoints of all applications. Endpoints that need attention come first. */
export function EndpointsView() {
  const t = useTranslations('webhooks.list');
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS);
  const list = useQuery({
    ...trpc.webhooks.endpoints.queryOptions(query),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  if (list.isError && !list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={6} />;
  const { endpoints, total, page_size: size } = list.data;
  if (total === 0) return <NoEndpoints />;
  const { page } = query;
  const { last, previous, next } = numberedPages(page, total, size);
  const range = { from: (page - 1) * size + 1, to: Math.min(page * size, total), total };
  const summary = last === 1 || page > last ? t('count', { count: total }) : t('range', range);
  return (
    <Stack gap="sm">
      {endpoints.length === 0 ? (
        <PastTheEnd page={page} onFirst={() => go({ page: 1 })} />
      ) : (
        <EndpointTable endpoints={endpoints} busy={list.isPlaceholderData} />
      )}
      <Pager previous={previous} next={next} summary={summary} href={href} go={go} />
    </Stack>
  );
}

function NoEndpoints() {
  const t = useTranslations('webhooks.list');
  const action = (
    <Anchor component={Link} href="/applications">
      {t('viewApplications')}
    </Anchor>
  );
  return (
    <EmptyState title={t('empty')} action={action}>
      {t('emptyText')}
    </EmptyState>
  );
}
