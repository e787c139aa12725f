'use client';

import { Alert, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { useTRPC } from '../../../_components/trpc';
import { useIsNarrow } from '../../../_components/use-is-narrow';
import { useUrlState } from '../../../_components/use-url-state';
import { Calendar } from '../../_components/calendar/calendar';
import styles from '../../_components/calendar/calendar.module.css';
import { countBookings, referencesOf } from '../../_components/calendar/columns';
import { useOptions } from '../../_components/calendar/options';
import { useNow } from '../../_components/calendar/use-minute';
import { minutesOf, peopleOf, weekColumns } from '../../_components/calendar/week-columns';
import { ViewedNames } from '../../_components/display/customer-names';
import { clockText, dateText, localMinute, weekdayText } from '../../_components/display/format';
import { bookingsHref, dayHref, WEEK_PARSERS } from '../../_components/query';
import schedule from '../../_components/schedule/schedule.module.css';
import { CancelledLink, SchedulePage } from '../../_components/schedule/schedule-page';
import { ScheduleSheet } from '../../_components/schedule/schedule-sheet';
import { useSchedule } from '../../_components/schedule/use-schedule';
import type { BookingWeek } from '../../_components/types';

/** Shows the current week by default. Without a location in the URL, `defaultLocation` (`lib/booking`) selects one. */
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

type WeekPanelProps = {
  week: BookingWeek;
  busy: boolean;
  canEdit: boolean;
  /** The specialist whose bookings are shown; null for all. */
  selected: string | null;
};

function WeekPanel({ week, busy, canEdit, selected }: WeekPanelProps) {
  const t = useTranslations('bookings.week');
  const both = useTranslations('bookings.schedule');
  const format = useFormats();
  const optionOf = useOptions();
  const { location, time_zone: timeZone, days } = week;
  const isNarrow = useIsNarrow();
  const specialist = peopleOf(week).find(({ id }) => id === selected)?.id ?? null;
  const [first, ...others] = weekColumns({ t: both, format }, week, specialist);
  const now = useNow();
  if (!first) return null;
  const columns = [first, ...others] as const;
  const busiest = columns.find(({ blocks }) => blocks.length > 0);
  const elapsedIn = (midnight: string) => ((now ?? 0) - Date.parse(midnight)) / 60_000;
  const day = days.find(({ midnight, clock }) => {
    const elapsed = elapsedIn(midnight);
    return now !== null && elapsed >= 0 && elapsed < clock.minutes;
  });
  const today = columns.find(({ date }) => date === day?.date);
  const minute = day ? localMinute(day.clock, Math.floor(elapsedIn(day.midnight))) : 0;
  const [from, to] = [first.date, columns.at(-1)?.date ?? first.date];
  const nameOf = (date: string) => (isNarrow ? weekdayText(format, date) : dateText(format, date));
  const booked = columns.reduce((sum, column) => sum + countBookings(column), 0);
  return (
    <Stack gap="sm" className={styles.screen}>
      <div className={schedule.heading}>
        <Title order={2} size="h4">
          {nameOf(from)} – {nameOf(to)}
          <Text span c="dimmed" size={isNarrow ? 'xs' : 'sm'} ml="xs">
            {both('summary', { count: booked, timeZone })}
          </Text>
        </Title>
      </div>
      {days.every(({ opening }) => opening.length === 0) && (
        <Alert color="yellow" title={t('closed', { location: location.name })}>
          {t('closedHint')}
        </Alert>
      )}
      {week.truncated && (
        <Alert color="yellow" title={both('notAll')}>
          {t('truncated')}
        </Alert>
      )}
      <Calendar
        // Resets the calendar when the location or week changes. A narrow screen, which shows only one column, then
        // shows the column `initial` again.
        key={`${location.id} ${from}`}
        label={t('label', { location: location.name })}
        axis={week}
        columns={columns}
        columnKind="day"
        optionOf={optionOf}
        initial={(today ?? busiest)?.key}
        today={today?.key}
        busy={busy}
        canEdit={canEdit}
        block={null}
        location={location}
        timeZone={timeZone}
        nowIn={({ date }) => (date === day?.date ? minute : null)}
        minuteOf={({ start_time }) => minutesOf(start_time)}
        timeOf={clockText}
        moreHref={({ date }) => dayHref({ location: location.id, date })}
      />
      <CancelledLink
        count={days.reduce((sum, { cancelled }) => sum + cancelled, 0)}
        location={location.id}
        from={from}
        to={to}
      />
    </Stack>
  );
}
