'use client';

import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { PageHeader } from '../../../_components/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { dateOf, textOf, useAddress } from '../../../_components/use-address';
import { formatLongDate, shiftDate } from '../../_components/format';
import { dayHref, hrefOf } from '../../_components/query';
import type { BookingDay, Choices } from '../../_components/types';
import { ViewSwitch } from '../../_components/view-switch';
import { DayGrid } from './day-grid';

type DayQuery = { location: string | null; date: string | null };

const ADDRESS = {
  read: (params: URLSearchParams): DayQuery => ({ location: textOf(params, 'location'), date: dateOf(params, 'date') }),
  hrefOf: dayHref,
};

const changeDay = (query: DayQuery, patch: Partial<DayQuery>) => ({ ...query, ...patch });

/** The reader's date; null until the browser has said it. */
function useToday(): string | null {
  const [today, setToday] = useState<string | null>(null);
  useEffect(() => {
    const now = new Date();
    setToday(new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10));
  }, []);
  return today;
}

/** One location's day. Without a location in the address it is the first one, without a date today. */
export function DayView() {
  const trpc = useTRPC();
  const { query, go } = useAddress(ADDRESS, changeDay);
  const today = useToday();
  const choices = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  const location = query.location ?? choices.data?.locations[0]?.id ?? null;
  const date = query.date ?? today;
  const listHref = hrefOf(date ? { period: 'dates', from: date, to: date, location } : { location });
  return (
    <>
      <PageHeader
        title="Bookings of a day"
        lead="Who has whom at one location, at its own time."
        actions={<ViewSwitch shown="day" listHref={listHref} dayHref={dayHref(query)} />}
      />
      {choices.isError && <ErrorState error={choices.error} retry={() => void choices.refetch()} />}
      {choices.data?.locations.length === 0 && (
        <EmptyState title="No locations yet">A day belongs to a location. Make one in the catalog first.</EmptyState>
      )}
      {location !== null && date !== null && (
        <Stack gap="md">
          <Controls locations={choices.data?.locations ?? []} location={location} date={date} today={today} go={go} />
          <Day location={location} date={date} />
        </Stack>
      )}
    </>
  );
}

type ControlProps = {
  locations: Choices['locations'];
  location: string;
  date: string;
  today: string | null;
  go: (patch: Partial<DayQuery>) => void;
};

function Controls({ locations, location, date, today, go }: ControlProps) {
  const options = locations.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label="Location"
        value={location}
        onChange={(event) => go({ location: event.currentTarget.value })}
        data={options}
      />
      <TextInput
        label="Date"
        type="date"
        value={date}
        onChange={(event) => event.currentTarget.value && go({ date: event.currentTarget.value })}
      />
      <Group gap="xs">
        <Button variant="default" px="xs" aria-label="Day before" onClick={() => go({ date: shiftDate(date, -1) })}>
          <IconChevronLeft size={16} aria-hidden />
        </Button>
        <Button variant="default" disabled={date === today} onClick={() => go({ date: today })}>
          Today
        </Button>
        <Button variant="default" px="xs" aria-label="Day after" onClick={() => go({ date: shiftDate(date, 1) })}>
          <IconChevronRight size={16} aria-hidden />
        </Button>
      </Group>
    </Group>
  );
}

function Day({ location, date }: { location: string; date: string }) {
  const trpc = useTRPC();
  const day = useQuery(
    trpc.bookings.day.queryOptions({ location_id: location, date }, { placeholderData: keepPreviousData }),
  );
  if (day.isError && day.error.data?.code === 'not_found')
    return <EmptyState title="No location with this id">Choose one of yours.</EmptyState>;
  if (day.isError) return <ErrorState error={day.error} retry={() => void day.refetch()} />;
  if (!day.data) return <LoadingRows rows={10} height={60} />;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {formatLongDate(day.data.date)}
        <Text span c="dimmed" size="sm" ml="xs">
          {summaryOf(day.data)}, {day.data.time_zone}
        </Text>
      </Title>
      {day.data.truncated && (
        <Alert color="yellow" title="Not all bookings are shown">
          This day has more than can be shown here. The list has them all.
        </Alert>
      )}
      {day.data.columns.length === 0 ? (
        <EmptyState title="Nobody works here">No published specialist offers a service at this location.</EmptyState>
      ) : (
        <DayGrid day={day.data} busy={day.isPlaceholderData} />
      )}
      {day.data.cancelled > 0 && (
        <Text size="sm" c="dimmed">
          Cancelled bookings are not shown.{' '}
          <Anchor
            component={Link}
            size="sm"
            href={hrefOf({ period: 'dates', from: date, to: date, location, status: 'cancelled' })}
          >
            See the {day.data.cancelled} cancelled
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

function summaryOf({ columns }: BookingDay): string {
  const count = columns.flatMap(({ blocks }) => blocks.flatMap(({ guests }) => guests)).length;
  return count === 1 ? '1 booking' : `${count} bookings`;
}
