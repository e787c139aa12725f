'use client';

import { Anchor, Box, Table, Text, VisuallyHidden } from '@mantine/core';
import Link from 'next/link';
import { type CSSProperties, useRef } from 'react';
import stacked from '../../../_components/stacked-table.module.css';
import { Time } from '../../../_components/time';
import { useStacked } from '../../../_components/use-stacked';
import { shortRoute } from '../../_components/format';
import { requestHref } from '../../_components/query';
import styles from '../../_components/requests.module.css';
import { StatusCode } from '../../_components/status-code';
import type { RequestDetail } from '../../_components/types';

/** Pixels from which on it is a table. */
const WIDTH = 680;

const RELATIONS = {
  original: 'Original',
  replay: 'Replay',
  same_key: 'Same key',
};

/** The requests that belong together because they are the same write. */
export function RelatedList({ request }: { request: RequestDetail }) {
  const frame = useRef<HTMLDivElement>(null);
  const stacks = useStacked(frame, WIDTH);
  if (request.related.length === 0) return <None request={request} />;
  return (
    <Box ref={frame} className={styles.frame} role="region" aria-label="Related requests" tabIndex={0}>
      <Table
        className={stacked.table}
        data-stacked={stacks || undefined}
        style={{ '--table-width': `${WIDTH}px` } as CSSProperties}
      >
        <caption>
          <VisuallyHidden>Related requests, oldest first</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Time</Table.Th>
            <Table.Th scope="col">Relation</Table.Th>
            <Table.Th scope="col">Route</Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col">Code</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {request.related.map((one) => (
            <Table.Tr key={one.request_id}>
              <Table.Td data-label="Time" data-wide>
                <Anchor component={Link} href={requestHref(one.request_id)} prefetch={false} size="sm">
                  <Time value={one.at} />
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
      </Table>
    </Box>
  );
}

function None({ request }: { request: RequestDetail }) {
  const why = request.replayed_from
    ? 'The original is no longer kept: requests stay for 30 days.'
    : request.had_idempotency_key
      ? 'No other request carried this idempotency key.'
      : 'It carried no idempotency key.';
  return (
    <Text size="sm" c="dimmed">
      {why}
    </Text>
  );
}
