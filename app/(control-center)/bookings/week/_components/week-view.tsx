'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHeader } from '../../../_components/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { Controls } from '../../_components/calendar/controls';
import { useToday } from '../../_components/day-stepper';
import { bookingsHref, dayHref, WEEK_PARSERS, weekHref } from '../../_components/query';
import { ViewSwitch } from '../../_components/view-switch';
import { WeekPanel } from './week-panel';

/**
 * The bookings of one week at one location. By default, the page shows this week at a location that has bookings.
 * @param canEdit Whether the member may move bookings.
 */
export function WeekView({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const { query, go } = useUrlState(WEEK_PARSERS);
  const today = useToday();
  const choices = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  const date = query.date ?? today;
  // Without a location in the URL, the server selects one. This location stays selected when the date changes.
  const [kept, setKept] = useState<string | null>(null);
  const week = useQuery(
    trpc.bookings.week.queryOptions(
      { location_id: query.location ?? kept, date: date ?? '2000-01-01' },
      { placeholderData: keepPreviousData, enabled: date !== null },
    ),
  );
  const location = query.location ?? kept ?? week.data?.location.id ?? null;
  const [from, to] = [week.data?.days[0]?.date ?? null, week.data?.days.at(-1)?.date ?? null];
  const hasLocations = choices.data === undefined || choices.data.locations.length > 0;
  return (
    <>
      <PageHeader
        title="Week schedule"
        lead="One week of bookings at one location, in local time."
        actions={
          <ViewSwitch
            shown="week"
            listHref={bookingsHref(from && to ? { period: 'dates', from, to, location } : { location })}
            dayHref={dayHref(query)}
            weekHref={weekHref(query)}
          />
        }
      />
      {choices.isError && <ErrorState error={choices.error} retry={() => void choices.refetch()} />}
      {hasLocations || <EmptyState title="No locations yet">Create a location in the catalog first.</EmptyState>}
      {hasLocations && date !== null && (
        <>
          <Controls
            unit="week"
            locations={choices.data?.locations ?? []}
            location={location}
            date={date}
            today={today}
            go={(patch) => {
              setKept(location);
              go(patch);
            }}
          />
          {week.isError ? (
            week.error.data?.code === 'not_found' ? (
              <EmptyState title="Location not found">Select another location.</EmptyState>
            ) : (
              <ErrorState error={week.error} retry={() => void week.refetch()} />
            )
          ) : !week.data ? (
            <LoadingRows rows={10} height={60} />
          ) : (
            <WeekPanel
              week={week.data}
              busy={week.isPlaceholderData}
              canEdit={canEdit}
              selected={query.specialist}
              onSelect={(specialist) => go({ specialist })}
            />
          )}
        </>
      )}
    </>
  );
}
