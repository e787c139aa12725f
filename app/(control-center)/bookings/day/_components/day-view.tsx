'use client';

import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHeader } from '../../../_components/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import styles from '../../_components/calendar/calendar.module.css';
import { Controls } from '../../_components/calendar/controls';
import { useToday } from '../../_components/day-stepper';
import { bookingsHref, DAY_PARSERS, dayHref, weekHref } from '../../_components/query';
import { ViewSwitch } from '../../_components/view-switch';
import { DayPanel } from './day-panel';
import { DaySheet } from './day-sheet';

/**
 * One day's bookings at one location. Without URL parameters, the page shows today, at the location with the next
 * booking, or at the first location if there is no booking.
 * @param canEdit Whether the member may move bookings.
 */
export function DayView({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const { query, go } = useUrlState(DAY_PARSERS);
  const today = useToday();
  const choices = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  const date = query.date ?? today;
  // Without a location in the URL, the server selects one. This location stays selected when the date changes.
  const [kept, setKept] = useState<string | null>(null);
  const day = useQuery(
    trpc.bookings.day.queryOptions(
      { location_id: query.location ?? kept, date: date ?? '2000-01-01' },
      { placeholderData: keepPreviousData, enabled: date !== null },
    ),
  );
  const location = query.location ?? kept ?? day.data?.location.id ?? null;
  const listHref = bookingsHref(date ? { period: 'dates', from: date, to: date, location } : { location });
  const hasLocations = choices.data === undefined || choices.data.locations.length > 0;
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
            <ViewSwitch shown="day" listHref={listHref} dayHref={dayHref(query)} weekHref={weekHref(query)} />
          </Group>
        }
      />
      {choices.isError && <ErrorState error={choices.error} retry={() => void choices.refetch()} />}
      {hasLocations || <EmptyState title="No locations yet">Create a location in the catalog first.</EmptyState>}
      {hasLocations && date !== null && (
        <>
          <Controls
            unit="day"
            locations={choices.data?.locations ?? []}
            location={location}
            date={date}
            today={today}
            go={(patch) => {
              setKept(location);
              go(patch);
            }}
          />
          {day.isError ? (
            <DayError error={day.error} retry={() => void day.refetch()} />
          ) : !day.data ? (
            <LoadingRows rows={10} height={60} />
          ) : (
            <>
              <DayPanel key={day.data.location.id} day={day.data} busy={day.isPlaceholderData} canEdit={canEdit} />
              <DaySheet day={day.data} />
            </>
          )}
        </>
      )}
    </>
  );
}

type Failure = Parameters<typeof ErrorState>[0]['error'];

function DayError({ error, retry }: { error: Failure; retry: () => void }) {
  if (error?.data?.code === 'not_found')
    return <EmptyState title="Location not found">Select another location.</EmptyState>;
  return <ErrorState error={error} retry={retry} />;
}
