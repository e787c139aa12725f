'use client';

import { Alert, Button, Group, List, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { plural } from '../../../_components/format';
import { SHORT_TIME } from '../../../_components/moments';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { Time } from '../../../_components/time';
import { useTRPC } from '../../../_components/trpc';
import { addressWith, dateOf, textOf, useAddress } from '../../../_components/use-address';
import { formatLongDate, shiftDate } from '../../../bookings/_components/format';
import styles from '../../_components/catalog.module.css';
import { CatalogFrame } from '../../_components/catalog-frame';
import type { Choices, DayPreview } from '../../_components/types';

type Query = { service: string | null; location: string | null; date: string | null };
type Go = (patch: Partial<Query>) => void;

const ADDRESS = {
  read: (params: URLSearchParams): Query => ({
    service: textOf(params, 'service'),
    location: textOf(params, 'location'),
    date: dateOf(params, 'date'),
  }),
  hrefOf: (query: Query) => addressWith('/catalog/preview', query),
};

const change = (query: Query, patch: Partial<Query>): Query => ({ ...query, ...patch });

/** Tomorrow, as the reader's calendar has it; null until the browser has said it. */
function useTomorrow(): string | null {
  const [day, setDay] = useState<string | null>(null);
  useEffect(() => {
    const now = new Date();
    setDay(shiftDate(new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10), 1));
  }, []);
  return day;
}

/** The slots of a day, as partners will see them: from the same engine. */
export function PreviewView() {
  const trpc = useTRPC();
  const { query, go } = useAddress(ADDRESS, change);
  const tomorrow = useTomorrow();
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  const service = query.service ?? choices.data?.services[0]?.id ?? null;
  const location = query.location ?? choices.data?.locations[0]?.id ?? null;
  const date = query.date ?? tomorrow;
  return (
    <CatalogFrame title="Preview" lead="The slots of a day as partners will see them, from what is saved now.">
      {choices.isError && <ErrorState error={choices.error} retry={() => void choices.refetch()} />}
      {choices.data && (service === null || location === null) && (
        <EmptyState title="Nothing to show yet">Create a service and a location first.</EmptyState>
      )}
      {choices.data && service !== null && location !== null && date !== null && (
        <Stack gap="md">
          <Controls choices={choices.data} service={service} location={location} date={date} go={go} />
          <Day service={service} location={location} date={date} />
        </Stack>
      )}
    </CatalogFrame>
  );
}

type Asked = { service: string; location: string; date: string };

function Controls({ choices, service, location, date, go }: Asked & { choices: Choices; go: Go }) {
  const options = (list: readonly { id: string; name: string; published: boolean }[]) =>
    list.map(({ id, name, published }) => ({ value: id, label: published ? name : `${name} (not published)` }));
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label="Service"
        value={service}
        data={options(choices.services)}
        onChange={(event) => go({ service: event.currentTarget.value })}
      />
      <NativeSelect
        label="Location"
        value={location}
        data={options(choices.locations)}
        onChange={(event) => go({ location: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Day"
        value={date}
        onChange={(event) => event.currentTarget.value && go({ date: event.currentTarget.value })}
      />
      <Group gap={4}>
        <Button variant="default" px="xs" aria-label="The day before" onClick={() => go({ date: shiftDate(date, -1) })}>
          <IconChevronLeft size={16} aria-hidden />
        </Button>
        <Button variant="default" px="xs" aria-label="The day after" onClick={() => go({ date: shiftDate(date, 1) })}>
          <IconChevronRight size={16} aria-hidden />
        </Button>
      </Group>
    </Group>
  );
}

const BLOCKERS: Record<DayPreview['blockers'][number], string> = {
  service_unpublished: 'The service is not published: partners see none of these slots until it is.',
  location_unpublished: 'The location is not published: nothing can be booked there.',
  not_offered: 'No published specialist offers this service at this location.',
};

function Day({ service, location, date }: Asked) {
  const trpc = useTRPC();
  const input = { service_id: service, location_id: location, date };
  const preview = useQuery(
    trpc.catalog.preview.queryOptions(input, { placeholderData: keepPreviousData, staleTime: 0 }),
  );
  if (preview.error?.data?.code === 'not_found')
    return <EmptyState title="No such service or location">Choose another above.</EmptyState>;
  if (preview.isError) return <ErrorState error={preview.error} retry={() => void preview.refetch()} />;
  if (!preview.data) return <LoadingRows rows={4} height={56} />;
  const { blockers, slots, time_zone: zone } = preview.data;
  return (
    <Stack gap="md">
      {blockers.length > 0 && (
        <Alert color="yellow" title="Not as partners see it now">
          <List size="sm">
            {blockers.map((blocker) => (
              <List.Item key={blocker}>{BLOCKERS[blocker]}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text size="sm" role="status">
        {formatLongDate(date)}: {plural(slots.length, 'slot')}, {zone} time.
      </Text>
      {slots.length === 0 ? <NoSlots preview={preview.data} /> : <Slots preview={preview.data} />}
    </Stack>
  );
}

function NoSlots({ preview }: { preview: DayPreview }) {
  return (
    <EmptyState title="No free slot on this day">
      Closed, nobody works, everybody is booked, or the day is out of reach: a start can be booked from{' '}
      <Time value={preview.bookable_from} options={SHORT_TIME} /> until{' '}
      <Time value={preview.bookable_until} options={SHORT_TIME} />.
    </EmptyState>
  );
}

function Slots({ preview: { slots, specialists } }: { preview: DayPreview }) {
  const names = new Map(specialists.map(({ id, name }) => [id, name]));
  return (
    <ul className={styles.slots} aria-label="Slots">
      {slots.map((slot) => (
        <li key={slot.starts_at} className={styles.slot}>
          <Text size="sm" fw={600}>
            {slot.start_time}–{slot.end_time}
          </Text>
          <Text size="xs" c="dimmed">
            {plural(slot.available_capacity, 'seat')}: {slot.specialist_ids.map((id) => names.get(id) ?? id).join(', ')}
          </Text>
        </li>
      ))}
    </ul>
  );
}
