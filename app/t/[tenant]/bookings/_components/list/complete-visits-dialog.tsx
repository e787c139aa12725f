'use client';

import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Dialog } from '../../../_components/dialogs/dialog';
import { FormEnd, Points, Problem } from '../../../_components/forms/form-end';
import { NotLoaded } from '../../../_components/states';
import { DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { useTRPC, useTRPCClient } from '../../../_components/trpc';
import { showUndo } from '../../../_components/undo';
import { useDone } from '../../../_components/use-done';
import { DateField } from '../day-stepper';
import { useCustomerNames, ViewedNames } from '../display/customer-names';
import { dateText, timeText } from '../display/format';
import type { BookingSummary } from '../types';

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
      {(found.isError || !found.data) && <NotLoaded query={found} rows={4} height={44} />}
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
    <DataTable
      caption={t('caption')}
      minWidth={560}
      dense
      frameProps={{ style: { maxHeight: 360 } }}
      columns={[
        { label: t('complete'), hidden: true },
        t('time'),
        t('service'),
        t('location'),
        t(names.size > 0 ? 'customer' : 'external'),
      ]}
    >
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
    </DataTable>
  );
}

/** The most bookings of one call, as the server has it. */
const PART = 50;

type Visit = { reference: string; version: number };

/** Completes visits in parts, and shows how many, with a button that undoes it. `onDone` is called if all were completed. */
function useChangeVisits(onDone: () => void) {
  const t = useTranslations('bookings.visits');
  const trpc = useTRPC();
  const client = useTRPCClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ message: string } | null>(null);
  const [refused, setRefused] = useState(0);
  const refresh = useDone(trpc.bookings);

  const change = async (action: 'complete' | 'reopen', visits: readonly Visit[]) => {
    const result = { changed: [] as Visit[], refused: 0, problem: null as { message: string } | null };
    for (let from = 0; from < visits.length && result.problem === null; from += PART)
      await client.bookings.visits.change
        .mutate({
          action,
          bookings: visits
            .slice(from, from + PART)
            .map(({ reference, version }) => ({ reference, expected_version: version })),
        })
        .then(
          (part) => {
            result.changed.push(...part.changed);
            result.refused += part.refused.length;
          },
          (error: { message: string }) => {
            result.problem = error;
          },
        );
    await refresh();
    return result;
  };

  const undo = async (visits: readonly Visit[]) => {
    const result = await change('reopen', visits);
    if (result.problem !== null) return result.problem.message;
    return result.refused > 0 ? t('notUndone', { count: result.refused }) : null;
  };

  const run = async (visits: readonly Visit[]) => {
    setBusy(true);
    setProblem(null);
    const result = await change('complete', visits);
    setBusy(false);
    setProblem(result.problem);
    setRefused(result.refused);
    const { changed } = result;
    const message = t('done', { count: changed.length });
    if (changed.length > 0) showUndo(message, () => undo(changed));
    else if (result.problem === null) notifications.show({ message });
    if (result.problem === null && result.refused === 0) onDone();
  };
  return { run, busy, problem, refused };
}
