'use client';

import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { referencesOf } from '../../_components/calendar/columns';
import { SchedulePage } from '../../_components/calendar/schedule-page';
import { ScheduleSheet } from '../../_components/calendar/schedule-sheet';
import { useSchedule } from '../../_components/calendar/use-schedule';
import { peopleOf } from '../../_components/calendar/week-columns';
import { ViewedNames } from '../../_components/customer-names';
import { bookingsHref, WEEK_PARSERS } from '../../_components/query';
import type { BookingWeek } from '../../_components/types';
import { WeekPanel } from './week-panel';

/**
 * The bookings of one week at one location. By default, this is the current week. If the URL names no location,
 * `defaultLocation` in `lib/booking/bookings/day.ts` selects one.
 * @param canEdit Whether the member may move bookings.
 */
export function WeekView({ canEdit }: { canEdit: boolean }) {
  const t = useTranslations('bookings.week');
  const trpc = useTRPC();
  const { query, go } = useUrlState(WEEK_PARSERS);
  const schedule = useSchedule(query, go);
  const week = useQuery(
    trpc.bookings.week.queryOptions(schedule.input, {
      placeholderData: keepPreviousData,
      enabled: schedule.date !== null,
    }),
  );
  const [from, to] = [week.data?.days[0]?.date ?? null, week.data?.days.at(-1)?.date ?? null];
  return (
    <SchedulePage
      unit="week"
      canEdit={canEdit}
      title={t('title')}
      lead={t('lead')}
      schedule={schedule}
      query={query}
      listHref={(location) => bookingsHref(from && to ? { period: 'dates', from, to, location } : { location })}
      filter={(data) => (
        <SpecialistSelect week={data} selected={query.specialist} onSelect={(specialist) => go({ specialist })} />
      )}
      loaded={week}
    >
      {(data) => (
        <ViewedNames view="week" references={referencesOf(data.days)} isAllowed={canEdit}>
          <WeekPanel week={data} busy={week.isPlaceholderData} canEdit={canEdit} selected={query.specialist} />
          <ScheduleSheet
            location={data.location.name}
            timeZone={data.time_zone}
            days={data.days}
            specialistId={query.specialist}
          />
        </ViewedNames>
      )}
    </SchedulePage>
  );
}

type Props = { week: BookingWeek | undefined; selected: string | null; onSelect: (specialist: string | null) => void };

/** Selects one specialist or all. Specialists with neither hours nor bookings in the week come last. */
function SpecialistSelect({ week, selected, onSelect }: Props) {
  const t = useTranslations('bookings.week');
  const people = week ? peopleOf(week) : [];
  const off = people.filter(({ present }) => !present);
  const option = ({ id, name, booked }: (typeof people)[number]) => ({
    value: id,
    label: t('person', { name, count: booked }),
  });
  return (
    <NativeSelect
      label={t('specialist')}
      value={people.find(({ id }) => id === selected)?.id ?? ''}
      onChange={(event) => onSelect(event.currentTarget.value || null)}
      data={[
        { value: '', label: t('all') },
        ...people.filter(({ present }) => present).map(option),
        ...(off.length > 0 ? [{ group: t('off'), items: off.map(option) }] : []),
      ]}
    />
  );
}
