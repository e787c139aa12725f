'use client';

import { Link } from '@/app/_components/link';
import type { EndpointSummary } from '../../_components/api-types';
import { formatCount } from '../../_components/format';
import { Columns, DataTable } from '../../_components/tables/data-table';
import rowLink from '../../_components/tables/row-link.module.css';
import { Table } from '../../_components/tables/table';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { EndpointState } from '../../applications/[id]/webhook/_components/state';
import { formatShare } from '../../requests/_components/format';
import styles from './endpoint-table.module.css';

const LABELS = [
  'Application',
  'Host',
  'Status',
  'Success rate (24 h)',
  'Success rate, 7 d',
  'Last attempt',
  'Backlog',
  'Next attempt',
] as const;

type Props = { endpoints: EndpointSummary[]; busy: boolean };

/** One page of endpoints. Each row opens the page of its endpoint. */
export function EndpointTable({ endpoints, busy }: Props) {
  return (
    <DataTable caption="Webhook endpoints" minWidth={980} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={LABELS} />
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
  const { application, host, state, failing, day, week, last_attempt_at: last, next_attempt_at: next } = endpoint;
  return (
    <Table.Tr className={rowLink.row}>
      <Table.Th scope="row" role="rowheader">
        <Link href={webhookHref(application.id)} className={rowLink.link} dir="auto">
          {application.name}
        </Link>
      </Table.Th>
      <Table.Td data-label="Host" data-wide className={styles.host}>
        {host}
      </Table.Td>
      <Table.Td data-label="Status">
        <EndpointState state={state} failing={failing} />
      </Table.Td>
      <Table.Td data-label="Success rate (24 h)">{shareOf(day)}</Table.Td>
      <Table.Td data-label="Success rate, 7 d">{shareOf(week)}</Table.Td>
      <Table.Td data-label="Last attempt">{last ? <Time value={last} options={SHORT_TIME} /> : 'Never'}</Table.Td>
      <Table.Td data-label="Backlog">{backlogOf(endpoint)}</Table.Td>
      <Table.Td data-label="Next attempt">{next ? <Time value={next} options={SHORT_TIME} /> : 'None'}</Table.Td>
    </Table.Tr>
  );
}

function shareOf(attempts: EndpointSummary['day']): string {
  if (attempts === null) return 'Too many to count';
  if (attempts.attempts === 0) return 'Nothing sent';
  return `${formatShare(attempts.succeeded, attempts.attempts)} of ${formatCount(attempts.attempts)}`;
}

function backlogOf({ pending, more, state }: EndpointSummary): string {
  if (pending === 0) return 'None';
  return `${formatCount(pending)}${more ? '+' : ''} ${state === 'active' ? 'pending' : 'held'}`;
}
