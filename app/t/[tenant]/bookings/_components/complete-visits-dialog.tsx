'use client';

import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../_components/dialogs/dialog';
import { plural } from '../../_components/format';
import { FormEnd, Points, Problem } from '../../_components/forms/form-end';
import { ErrorState, LoadingRows } from '../../_components/states';
import { Column, Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { useTRPC } from '../../_components/trpc';
import { useCustomerNames, ViewedNames } from './customer-names';
import { formatDate } from './format';
import { DateField } from './period-picker';
import type { BookingSummary } from './types';
import { useChangeVisits } from './use-change-visits';

type Props = { opened: boolean; locationId: string | null; onClose: () => void };

/** Lists the confirmed bookings of a day that have ended, first those of yesterday, and completes those that stay selected. */
export function CompleteVisitsDialog({ opened, locationId, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Complete visits" size="xl">
      <Day locationId={locationId} onClose={onClose} />
    </Dialog>
  );
}

function Day({ locationId, onClose }: Omit<Props, 'opened'>) {
  const trpc = useTRPC();
  const [date, setDate] = useState<string | null>(null);
  const input = { date, location_id: locationId };
  const found = useQuery({ ...trpc.bookings.visits.list.queryOptions(input), staleTime: 0 });
  return (
    <Stack>
      <DateField label="Day" value={date ?? found.data?.date ?? null} onChange={setDate} />
      {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {!found.isError && !found.data && <LoadingRows rows={4} height={44} />}
      {found.data && (
        <Visits key={found.data.date} visits={found.data} filtered={locationId !== null} onClose={onClose} />
      )}
    </Stack>
  );
}

type VisitsProps = {
  visits: { date: string; bookings: BookingSummary[]; truncated: boolean };
  filtered: boolean;
  onClose: () => void;
};

function Visits({ visits: { date, bookings, truncated }, filtered, onClose }: VisitsProps) {
  const [excluded, setExcluded] = useState<readonly string[]>([]);
  const { run, busy, problem, refused } = useChangeVisits(onClose);
  const chosen = bookings.filter(({ reference }) => !excluded.includes(reference));
  const toggle = (reference: string, on: boolean) =>
    setExcluded(on ? excluded.filter((one) => one !== reference) : [...excluded, reference]);
  if (bookings.length === 0)
    return (
      <>
        <Text size="sm" role="status">
          No confirmed booking of {formatDate(date)} has ended{filtered ? ' at this location' : ''}.
        </Text>
        <FormEnd verb="Complete" busy={false} disabled cancel="Close" onCancel={onClose} />
      </>
    );
  return (
    <>
      <Points
        title={`${plural(chosen.length, 'visit')} of ${formatDate(date)}${filtered ? ' at this location' : ''}`}
        points={[
          'Clear the box of whoever did not come, and mark that booking as a no-show.',
          'Partners are notified by webhook. Customers are not notified.',
          'For 24 hours, you can undo this, here or on the page of a booking.',
        ]}
      />
      {truncated && (
        <Alert color="yellow">This day has more visits. Complete these, then open this dialog again.</Alert>
      )}
      <ViewedNames view="list" references={bookings.map(({ reference }) => reference)} isAllowed>
        <VisitTable bookings={bookings} excluded={excluded} onToggle={toggle} />
      </ViewedNames>
      {refused > 0 && (
        <Alert color="yellow" role="alert">
          {plural(refused, 'booking was', 'bookings were')} changed by somebody else in the meantime, and left as they
          are.
        </Alert>
      )}
      <Problem error={problem} />
      <FormEnd
        verb={`Complete ${plural(chosen.length, 'visit')}`}
        busy={busy}
        disabled={chosen.length === 0}
        onCancel={onClose}
        onGo={() => void run(chosen)}
      />
    </>
  );
}

type TableProps = {
  bookings: readonly BookingSummary[];
  excluded: readonly string[];
  onToggle: (reference: string, on: boolean) => void;
};

function VisitTable({ bookings, excluded, onToggle }: TableProps) {
  const names = useCustomerNames();
  return (
    <DataTable caption="Visits" minWidth={560} frameProps={{ style: { maxHeight: 360 } }}>
      <Table.Thead>
        <Table.Tr>
          <Column label="Complete" hidden />
          <Columns labels={['Time', 'Service', 'Location', names.size > 0 ? 'Customer' : 'External reference']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {bookings.map(({ reference, start_time, end_time, service, specialist, location, external_reference }) => (
          <Table.Tr key={reference}>
            <Table.Td style={{ width: 36 }}>
              <Checkbox
                size="xs"
                aria-label={`Complete ${start_time} ${service.name}, ${names.get(reference) ?? external_reference}`}
                checked={!excluded.includes(reference)}
                onChange={(event) => onToggle(reference, event.currentTarget.checked)}
              />
            </Table.Td>
            <Table.Th scope="row" data-label="Time">
              {start_time}–{end_time}
            </Table.Th>
            <Table.Td data-label="Service">
              {service.name}, {specialist.name}
            </Table.Td>
            <Table.Td data-label="Location">{location.name}</Table.Td>
            <Table.Td data-label={names.has(reference) ? 'Customer' : 'External reference'}>
              <bdi>{names.get(reference) ?? external_reference}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
