'use client';

import { Alert, Anchor, Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { plural } from '../../../_components/format';
import { PageHeader } from '../../../_components/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { DayStepper, useToday } from '../../_components/day-stepper';
import { formatLongDate } from '../../_components/format';
import { bookingsHref, DAY_PARSERS, dayHref } from '../../_components/query';
import type { BookingDay, Choices } from '../../_components/types';
import { ViewSwitch } from '../../_components/view-switch';
import styles from './day.module.css';
import { DayGrid } from './day-grid';
import { DaySheet } from './day-sheet';

/** The bookings of one day at one location; by default, today at the first location. */
export function DayView() {
  const trpc = useTRPC();
  const { query, go } = useUrlState(DAY_PARSERS);
  const today = useToday();
  const choices = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  const location = query.location ?? choices.data?.locations[0]?.id ?? null;
  const date = query.date ?? today;
  const listHref = bookingsHref(date ? { period: 'dates', from: date, to: date, location } : { location });
  return (
    <>
      <PageHeader
        title="Day schedule"
        lead="Bookings by specialist at one location, in local time."
        actions={
          <Group gap="sm" className={styles.screen}>
            <Button
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              Print
            </Button>
            <ViewSwitch shown="day" listHref={listHref} dayHref={dayHref(query)} />
          </Group>
        }
      />
      {choices.isError && <ErrorState error={choices.error} retry={() => void choices.refetch()} />}
      {choices.data?.locations.length === 0 && (
        <EmptyState title="No locations yet">Create a location in the catalog first.</EmptyState>
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
  go: (patch: { location?: string; date?: string }) => void;
};

function Controls({ locations, location, date, today, go }: ControlProps) {
  const options = locations.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Group gap="sm" align="flex-end" className={styles.screen}>
      <NativeSelect
        label="Location"
        value={location}
        onChange={(event) => go({ location: event.currentTarget.value })}
        data={options}
      />
      <DayStepper date={date} today={today} onChange={(next) => go({ date: next })} />
    </Group>
  );
}

function Day({ location, date }: { location: string; date: string }) {
  const trpc = useTRPC();
  const day = useQuery(
    trpc.bookings.day.queryOptions({ location_id: location, date }, { placeholderData: keepPreviousData }),
  );
  if (day.isError && day.error.data?.code === 'not_found')
    return <EmptyState title="Location not found">Choose another location.</EmptyState>;
  if (day.isError) return <ErrorState error={day.error} retry={() => void day.refetch()} />;
  if (!day.data) return <LoadingRows rows={10} height={60} />;
  return (
    <>
      <DaySheet day={day.data} />
      <Stack gap="sm" className={styles.screen}>
        <Title order={2} size="h4">
          {formatLongDate(day.data.date)}
          <Text span c="dimmed" size="sm" ml="xs">
            {summaryOf(day.data)}, {day.data.time_zone}
          </Text>
        </Title>
        {day.data.truncated && (
          <Alert color="yellow" title="Not all bookings are shown">
            This day has more bookings than the schedule can show. The list shows all of them.
          </Alert>
        )}
        {day.data.columns.length === 0 ? (
          <EmptyState title="No specialists at this location">
            No published specialist offers a service here.
          </EmptyState>
        ) : (
          <DayGrid day={day.data} busy={day.isPlaceholderData} />
        )}
        {day.data.cancelled > 0 && (
          <Text size="sm" c="dimmed">
            Canceled bookings are hidden.{' '}
            <Anchor
              component={Link}
              size="sm"
              href={bookingsHref({ period: 'dates', from: date, to: date, location, status: 'cancelled' })}
            >
              Show {day.data.cancelled} canceled
            </Anchor>
          </Text>
        )}
      </Stack>
    </>
  );
}

function summaryOf({ columns }: BookingDay): string {
  return plural(columns.flatMap(({ blocks }) => blocks.flatMap(({ guests }) => guests)).length, 'booking');
}
