'use client';

import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Link, TextLink } from '@/app/_components/link';
import type { Formats } from '@/lib/platform/text/formats';
import type { EndpointSummary } from '../../_components/api-types';
import { EmptyState, NotLoaded, PastTheEnd } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { NumberedPager } from '../../_components/tables/pager';
import rowLink from '../../_components/tables/row-link.module.css';
import { Table } from '../../_components/tables/table';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { EndpointState } from '../../applications/[id]/webhook/_components/state';
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
  if (!list.data) return <NotLoaded query={list} rows={6} />;
  const { endpoints, total, page_size: size } = list.data;
  if (total === 0) return <NoEndpoints />;
  const { page } = query;
  return (
    <Stack gap="sm">
      {endpoints.length === 0 ? (
        <PastTheEnd page={page} onFirst={() => go({ page: 1 })} />
      ) : (
        <EndpointTable endpoints={endpoints} busy={list.isPlaceholderData} />
      )}
      <NumberedPager count={t('count', { count: total })} {...{ page, total, size, href, go }} />
    </Stack>
  );
}

function NoEndpoints() {
  const t = useTranslations('webhooks.list');
  const action = (
    <TextLink href="/applications" size="md">
      {t('viewApplications')}
    </TextLink>
  );
  return (
    <EmptyState title={t('empty')} action={action}>
      {t('emptyText')}
    </EmptyState>
  );
}

const COLUMNS = ['application', 'host', 'status', 'day', 'week', 'lastAttempt', 'backlog', 'nextAttempt'] as const;

type Props = { endpoints: EndpointSummary[]; busy: boolean };

function EndpointTable({ endpoints, busy }: Props) {
  const t = useTranslations('webhooks.table');
  return (
    <DataTable caption={t('caption')} minWidth={980} busy={busy} columns={COLUMNS.map((column) => t(column))}>
      {endpoints.map((endpoint) => (
        <Row key={endpoint.application.id} endpoint={endpoint} />
      ))}
    </DataTable>
  );
}

function Row({ endpoint }: { endpoint: EndpointSummary }) {
  const t = useTranslations('webhooks.table');
  const states = useTranslations('applications.endpointState');
  const format = useFormats();
  const { application, host, state, failing, day, week, last_attempt_at: last, next_attempt_at: next } = endpoint;
  return (
    <Table.Tr className={rowLink.row}>
      <Table.Th scope="row" role="rowheader">
        <Link href={webhookHref(application.id)} className={rowLink.link} dir="auto">
          {application.name}
        </Link>
      </Table.Th>
      <Table.Td data-label={t('host')} data-wide style={{ overflowWrap: 'anywhere' }}>
        {host}
      </Table.Td>
      <Table.Td data-label={t('status')}>
        <EndpointState state={state} failing={failing} />
      </Table.Td>
      <Table.Td data-label={t('day')}>{shareOf(t, states, format, day)}</Table.Td>
      <Table.Td data-label={t('week')}>{shareOf(t, states, format, week)}</Table.Td>
      <Table.Td data-label={t('lastAttempt')}>
        {last ? <Time value={last} options={SHORT_TIME} /> : t('never')}
      </Table.Td>
      <Table.Td data-label={t('backlog')}>{backlogOf(t, endpoint)}</Table.Td>
      <Table.Td data-label={t('nextAttempt')}>
        {next ? <Time value={next} options={SHORT_TIME} /> : t('noNext')}
      </Table.Td>
    </Table.Tr>
  );
}

type TableTranslator = Translator<'webhooks.table'>;

function shareOf(
  t: TableTranslator,
  states: Translator<'applications.endpointState'>,
  format: Formats,
  attempts: EndpointSummary['day'],
): string {
  if (attempts === null) return t('tooMany');
  const { attempts: count, succeeded } = attempts;
  return count === 0 ? states('nothingSent') : t('share', { share: format.percent(succeeded / count, 1), count });
}

function backlogOf(t: TableTranslator, { pending, more, state }: EndpointSummary): string {
  if (pending === 0) return t('noBacklog');
  return t(state === 'active' ? 'pending' : 'held', { count: pending, more: more ? '+' : '' });
}
