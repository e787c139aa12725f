'use client';

import { Anchor, Code, Table, Text } from '@mantine/core';
import Link from 'next/link';
import type { Ref } from 'react';
import { Columns, DataTable, SortColumn } from '../../_components/data-table';
import { SHORT_TIME } from '../../_components/moments';
import { Time } from '../../_components/time';
import { formatDate } from './format';
import { type BookingsQuery, bookingHref, bookingsHref, directionOf } from './query';
import { StatusBadge } from './status-badge';
import type { BookingSummary } from './types';

type Props = {
  bookings: BookingSummary[];
  query: BookingsQuery;
  busy: boolean;
  frame: Ref<HTMLDivElement>;
  go: (patch: Partial<BookingsQuery>) => void;
};

/** One page of bookings. */
export function BookingsTable({ bookings, query, busy, frame, go }: Props) {
  const sort = (by: BookingsQuery['sort']) => {
    const active = query.sort === by;
    const next = active && directionOf(query) === 'asc' ? 'desc' : active ? 'asc' : null;
    return { direction: active ? directionOf(query) : null, onSort: () => go({ sort: by, direction: next }) };
  };
  return (
    <DataTable caption="Bookings" minWidth={1040} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Reference', 'Status']} />
          <SortColumn label="Start (local time)" {...sort('starts_at')} />
          <Columns labels={['Service', 'Specialist', 'Location', 'Application', 'External reference']} />
          <SortColumn label="Booked" {...sort('created_at')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {bookings.map((booking) => (
          <Row key={booking.reference} booking={booking} />
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Row({ booking }: { booking: BookingSummary }) {
  const { reference, application } = booking;
  return (
    <Table.Tr>
      <Table.Td data-label="Reference">
        <Anchor
          component={Link}
          href={bookingHref(reference)}
          prefetch={false}
          fz={13}
          title={reference}
          ff="monospace"
        >
          {reference.slice(0, 12)}…
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Status" miw={118}>
        <StatusBadge status={booking.status} />
      </Table.Td>
      <Table.Td data-label="Start (local time)" data-wide style={{ whiteSpace: 'nowrap' }}>
        {formatDate(booking.date)}, {booking.start_time}–{booking.end_time}
        <Text fz={12} c="dimmed">
          {booking.time_zone}
        </Text>
      </Table.Td>
      <Table.Td data-label="Service">{booking.service.name}</Table.Td>
      <Table.Td data-label="Specialist">{booking.specialist.name}</Table.Td>
      <Table.Td data-label="Location">{booking.location.name}</Table.Td>
      <Table.Td data-label="Application">
        <Anchor
          component={Link}
          href={bookingsHref({ period: 'all', application: application.id })}
          prefetch={false}
          fz={13}
        >
          {application.name}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="External reference" maw={200} style={{ overflowWrap: 'anywhere' }}>
        <Code>{booking.external_reference}</Code>
      </Table.Td>
      <Table.Td data-label="Booked">
        <Time value={booking.created_at} options={SHORT_TIME} />
      </Table.Td>
    </Table.Tr>
  );
}
