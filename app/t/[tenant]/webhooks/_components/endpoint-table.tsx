'use client';

import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { Formats } from '@/lib/platform/text/formats';
import type { EndpointSummary } from '../../_components/api-types';
import { Columns, DataTable } from '../../_components/tables/data-table';
import rowLink from '../../_components/tables/row-link.module.css';
import { Table } from '../../_components/tables/table';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { EndpointState } from '../../applications/[id]/webhook/_components/state';
import styles from './endpoint-table.module.css';

/** The keys of the labels of the columns. */
const COLUMNS = ['application', 'host', 'status', 'day', 'week', 'lastAttempt', 'backlog', 'nextAttempt'] as const;

type Props = { endpoints: EndpointSummary[]; busy: boolean };

/** One page of endpoints. Each row opens the page of its endpoint. */
export function EndpointTable({ endpoints, busy }: Props) {
  const t = useTranslations('webhooks.table');
  return (
    <DataTable caption={t('caption')} minWidth={980} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={COLUMNS.map((column) => t(column))} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {endpoints.map((endpoint) => (
          <Row key={endpoint.application.id} endpoint={endpoint} />
        ))}
      </Table.Tbody>
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
      <Table.Td data-label={t('host')} data-wide className={styles.host}>
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
