'use client';

import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Dialog } from '../../_components/dialogs/dialog';
import { FormEnd, Points, Problem } from '../../_components/forms/form-end';
import { ErrorState, LoadingRows } from '../../_components/states';
import { Column, Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { useTRPC } from '../../_components/trpc';
import { useCustomerNames, ViewedNames } from './customer-names';
import { dateText, timeText } from './format';
import { DateField } from './period-picker';
import type { BookingSummary } from './types';
import { useChangeVisits } from './use-change-visits';

type Props = { opened: boolean; locationId: string | null; onClose: () => void };

/** Lists the confirmed bookings of a day that have ended, first those of yesterday, and completes those that stay selected. */
export function CompleteVisitsDialog({ opened, locationId, onClose }: Props) {
  const t = useTranslations('bookings.visits');
  return (
    <Dialog opened={opened} onClose={onClose} title={t('title')} size="xl">
      <Day locationId={locationId} onClose={onClose} />
    </Dialog>
  );
}

function Day({ locationId, onClose }: Omit<Props, 'opened'>) {
  const t = useTranslations('bookings.visits');
  const trpc = useTRPC();
  const [date, setDate] = useState<string | null>(null);
  const input = { date, location_id: locationId };
  const found = useQuery({ ...trpc.bookings.visits.list.queryOptions(input), staleTime: 0 });
  return (
    <Stack>
      <DateField label={t('day')} value={date ?? found.data?.date ?? null} onChange={setDate} />
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
  const t = useTranslations('bookings.visits');
  const format = useFormats();
  const day = dateText(format, date);
  const [excluded, setExcluded] = useState<readonly string[]>([]);
  const { run, busy, problem, refused } = useChangeVisits(onClose);
  const chosen = bookings.filter(({ reference }) => !excluded.includes(reference));
  const toggle = (reference: string, on: boolean) =>
    setExcluded(on ? excluded.filter((one) => one !== reference) : [...excluded, reference]);
  if (bookings.length === 0)
    return (
      <>
        <Text size="sm" role="status">
          {t(filtered ? 'noneHere' : 'none', { date: day })}
        </Text>
        <FormEnd verb={t('complete')} busy={false} disabled cancel={t('close')} onCancel={onClose} />
      </>
    );
  return (
    <>
      <Points
        title={t(filtered ? 'headingHere' : 'heading', { count: chosen.length, date: day })}
        points={[t('points.clear'), t('points.notified'), t('points.undo')]}
      />
      {truncated && <Alert color="yellow">{t('more')}</Alert>}
      <ViewedNames view="list" references={bookings.map(({ reference }) => reference)} isAllowed>
        <VisitTable bookings={bookings} excluded={excluded} onToggle={toggle} />
      </ViewedNames>
      {refused > 0 && (
        <Alert color="yellow" role="alert">
          {t('refused', { count: refused })}
        </Alert>
      )}
      <Problem error={problem} />
      <FormEnd
        verb={t('go', { count: chosen.length })}
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
  const t = useTranslations('bookings.visits');
  const format = useFormats();
  const names = useCustomerNames();
  return (
    <DataTable caption={t('caption')} minWidth={560} dense frameProps={{ style: { maxHeight: 360 } }}>
      <Table.Thead>
        <Table.Tr>
          <Column label={t('complete')} hidden />
          <Columns labels={[t('time'), t('service'), t('location'), t(names.size > 0 ? 'customer' : 'external')]} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {bookings.map(({ reference, start_time, end_time, service, specialist, location, external_reference }) => (
          <Table.Tr key={reference}>
            <Table.Td>
              <Checkbox
                size="xs"
                aria-label={t('box', {
                  time: timeText(format, start_time),
                  service: service.name,
                  customer: names.get(reference) ?? external_reference,
                })}
                checked={!excluded.includes(reference)}
                onChange={(event) => onToggle(reference, event.currentTarget.checked)}
              />
            </Table.Td>
            <Table.Th scope="row" data-label={t('time')}>
              {timeText(format, start_time)}–{timeText(format, end_time)}
            </Table.Th>
            <Table.Td data-label={t('service')}>
              {service.name}, {specialist.name}
            </Table.Td>
            <Table.Td data-label={t('location')}>{location.name}</Table.Td>
            <Table.Td data-label={t(names.has(reference) ? 'customer' : 'external')}>
              <bdi>{names.get(reference) ?? external_reference}</bdi>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
