'use client';

import { Anchor, Badge, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { Column, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { formatDate, makerName } from '../../../bookings/_components/format';
import { StatusBadge } from '../../../bookings/_components/status-badge';
import type { FoundBooking } from './types';

type Props = {
  bookings: readonly FoundBooking[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
};

/** The bookings that were found. The user chooses those that belong to the person. */
export function FoundTable({ bookings, chosen, onChoose }: Props) {
  const all = chosen.size === bookings.length;
  const toggle = (reference: string) => {
    const next = new Set(chosen);
    if (!next.delete(reference)) next.add(reference);
    onChoose(next);
  };
  return (
    <Stack gap="xs">
      <Checkbox
        label={`All ${bookings.length}`}
        checked={all}
        indeterminate={!all && chosen.size > 0}
        onChange={() => onChoose(new Set(all ? [] : bookings.map(({ reference }) => reference)))}
      />
      <DataTable caption="Bookings with data of the customer" minWidth={820}>
        <Table.Thead>
          <Table.Tr>
            <Column label="Choose" hidden />
            <Column label="Customer" />
            <Column label="Appointment" />
            <Column label="Made by" />
            <Column label="Also stored" />
            <Column label="Status" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bookings.map((booking) => (
            <Row
              key={booking.reference}
              booking={booking}
              checked={chosen.has(booking.reference)}
              onToggle={() => toggle(booking.reference)}
            />
          ))}
        </Table.Tbody>
      </DataTable>
    </Stack>
  );
}

function Row({ booking, checked, onToggle }: { booking: FoundBooking; checked: boolean; onToggle: () => void }) {
  const { reference, name, phone_masked, date, start_time, service, location, application } = booking;
  const when = `${formatDate(date)}, ${start_time}`;
  const optional = [...booking.optional, ...(booking.consent_withdrawn ? ['consent withdrawn'] : [])];
  return (
    <Table.Tr>
      <Table.Td data-wide="all">
        <Checkbox aria-label={`Choose ${when}, ${service.name}`} checked={checked} onChange={onToggle} />
      </Table.Td>
      <Table.Td data-label="Customer" data-wide>
        {name || 'Cannot be decrypted'}
        <Text size="xs" c="dimmed">
          {phone_masked}
        </Text>
      </Table.Td>
      <Table.Td data-label="Appointment" data-wide>
        <Anchor component={Link} href={`/bookings/${reference}`} fz={13} fw={600}>
          {when}
        </Anchor>
        <Text size="xs" c="dimmed">
          {service.name} · {location.name}
        </Text>
      </Table.Td>
      <Table.Td data-label="Made by">{makerName(application)}</Table.Td>
      <Table.Td data-label="Also stored">{optional.join(', ') || '–'}</Table.Td>
      <Table.Td data-label="Status">
        <Group gap={6}>
          <StatusBadge status={booking.status} />
          {booking.upcoming && (
            <Badge variant="light" color="yellow" tt="none">
              Upcoming
            </Badge>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
