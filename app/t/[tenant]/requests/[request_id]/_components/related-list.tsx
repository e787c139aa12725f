'use client';

import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { Time } from '../../../_components/time/time';
import { shortRoute } from '../../_components/format';
import { requestHref } from '../../_components/query';
import styles from '../../_components/requests.module.css';
import { StatusCode } from '../../_components/status-code';
import type { RequestDetail } from '../../_components/types';

const RELATIONS = {
  original: 'Original',
  replay: 'Replay',
  same_key: 'Same idempotency key',
};

/**
 * The other requests for the same write: the original request, its replays, and requests with the same idempotency key.
 */
export function RelatedList({ request }: { request: RequestDetail }) {
  if (request.related.length === 0) return <NoRelated request={request} />;
  return (
    <DataTable caption="Related requests, oldest first" label="Related requests" minWidth={680}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Time', 'Relation', 'Route', 'Status', 'Code']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {request.related.map((one) => (
          <Table.Tr key={one.request_id}>
            <Table.Td data-label="Time" data-wide>
              <Anchor component={Link} href={requestHref(one.request_id)} size="sm">
                <Time value={one.at} />
                <VisuallyHidden>, {RELATIONS[one.relation]}</VisuallyHidden>
              </Anchor>
            </Table.Td>
            <Table.Td data-label="Relation">{RELATIONS[one.relation]}</Table.Td>
            <Table.Td data-label="Route" data-wide className={styles.mono}>
              {one.method} {one.route && shortRoute(one.route)}
            </Table.Td>
            <Table.Td data-label="Status">
              <StatusCode status={one.status} />
            </Table.Td>
            <Table.Td data-label="Code" className={styles.mono}>
              {one.reason ?? one.code ?? '–'}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function NoRelated({ request }: { request: RequestDetail }) {
  const reason = request.replayed_from
    ? 'The original request is no longer stored. Requests are kept for at most 30 days.'
    : request.had_idempotency_key
      ? 'No other request used this idempotency key.'
      : 'The request had no idempotency key.';
  return (
    <Text size="sm" c="dimmed">
      {reason}
    </Text>
  );
}
