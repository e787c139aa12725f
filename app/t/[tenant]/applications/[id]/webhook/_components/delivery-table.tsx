'use client';

import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import type { MouseEvent, ReactNode, Ref } from 'react';
import { Link } from '@/app/_components/link';
import type { DeliveryRow } from '../../../../_components/api-types';
import { Columns, DataTable } from '../../../../_components/tables/data-table';
import { Table } from '../../../../_components/tables/table';
import { clockTo, LINE_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { bookingHref } from '../../../../bookings/_components/query';
import { formatDuration } from '../../../../requests/_components/format';
import { StateBadge } from '../../../_components/state-badge';
import type { DeliveriesQuery } from './query';
import { DeliveryStateBadge } from './state';
import { answerText } from './words';

type Props = {
  rows: DeliveryRow[];
  busy: boolean;
  frame: Ref<HTMLDivElement>;
  href: (patch: Partial<DeliveriesQuery>) => string;
  go: (patch: Partial<DeliveriesQuery>) => void;
};

/** One page of deliveries. */
export function DeliveryTable({ rows, busy, frame, href, go }: Props) {
  return (
    <DataTable caption="Deliveries" minWidth={1060} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns
            labels={[
              'Delivery',
              'Status',
              'Event type',
              'Booking',
              'Attempts',
              'Last answer',
              'Next attempt',
              'Created',
            ]}
          />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Td data-label="Delivery">
              <Open row={row} href={href({ delivery: row.id })} onOpen={() => go({ delivery: row.id })} />
            </Table.Td>
            <Cells row={row} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Open({ row, href, onOpen }: { row: DeliveryRow; href: string; onOpen: () => void }) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <Anchor href={href} onClick={open} fz={13} ff="monospace" title={row.id} style={{ whiteSpace: 'nowrap' }}>
      {/* Shows the end of the ID, because IDs created at about the same time start with the same characters. */}
      dlv_…{row.id.slice(-8)}
      <VisuallyHidden>, {row.type}</VisuallyHidden>
    </Anchor>
  );
}

function Cells({ row }: { row: DeliveryRow }) {
  const { booking_reference: reference, attempts, scheduled_attempts: scheduled } = row;
  return (
    <>
      <Table.Td data-label="Status">
        <DeliveryStateBadge state={row.state} />
      </Table.Td>
      <Table.Td data-label="Event type" style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>
        {row.type}
        {row.forged && ' (forged)'}
      </Table.Td>
      <Table.Td data-label="Booking">
        {reference ? (
          <Anchor component={Link} href={bookingHref(reference)} fz={13} ff="monospace" title={reference}>
            <VisuallyHidden>Booking </VisuallyHidden>pbr_…{reference.slice(-8)}
          </Anchor>
        ) : (
          <None>None</None>
        )}
      </Table.Td>
      <Table.Td data-label="Attempts" style={{ whiteSpace: 'nowrap' }}>
        {scheduled} of {row.max_attempts}
        {attempts > scheduled && (
          <Text component="span" fz={12} c="dimmed">
            {' '}
            ({attempts} total)
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Last answer">
        <LastAnswer row={row} />
      </Table.Td>
      <Table.Td data-label="Next attempt">
        <Next row={row} />
      </Table.Td>
      <Table.Td data-label="Created">
        <Time value={row.created_at} options={LINE_TIME} />
      </Table.Td>
    </>
  );
}

/** The status of the newest attempt or, without a response, the cause of its failure, with its duration and its time. */
function LastAnswer({ row: { last_answer: last } }: { row: DeliveryRow }) {
  if (!last) return <None>None yet</None>;
  const isFailure = last.interrupted || last.error !== null;
  return (
    <>
      <StateBadge tone={isFailure ? 'bad' : 'good'}>{last.interrupted ? 'interrupted' : answerText(last)}</StateBadge>
      <Text component="span" fz={12} c="dimmed" display="block" style={{ whiteSpace: 'nowrap' }}>
        {last.duration_ms !== null && `${formatDuration(last.duration_ms)}, `}
        <Time value={last.started_at} options={clockTo('second')} />
      </Text>
    </>
  );
}

function Next({ row }: { row: DeliveryRow }) {
  if (row.under_way) return 'in progress';
  if (row.state === 'held') return <None>when resumed</None>;
  if (row.manual_requested) return 'now (manual)';
  return row.next_attempt_at ? <Time value={row.next_attempt_at} options={LINE_TIME} /> : <None>None</None>;
}

function None({ children }: { children: ReactNode }) {
  return (
    <Text component="span" fz={13} c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </Text>
  );
}
