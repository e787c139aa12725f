'use client';

import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { useIsNarrow } from '../../../_components/use-is-narrow';
import { Calendar } from '../../_components/calendar/calendar';
import styles from '../../_components/calendar/calendar.module.css';
import { countBookings } from '../../_components/calendar/columns';
import { useOptions } from '../../_components/calendar/options';
import schedule from '../../_components/calendar/schedule.module.css';
import { useNow } from '../../_components/calendar/use-minute';
import { minutesOf, peopleOf, timeOf, weekColumns } from '../../_components/calendar/week-columns';
import { dateText, localMinute, weekdayText } from '../../_components/format';
import { bookingsHref, dayHref } from '../../_components/query';
import type { BookingWeek } from '../../_components/types';

type Props = {
  week: BookingWeek;
  busy: boolean;
  canEdit: boolean;
  /** The specialist whose bookings are shown; null for all. */
  selected: string | null;
};

/** The schedule of one week, for all specialists or for one. */
export function WeekPanel({ week, busy, canEdit, selected }: Props) {
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
        timeOf={timeOf}
        moreHref={({ date }) => dayHref({ location: location.id, date })}
      />
      <CancelledLink week={week} from={from} to={to} />
    </Stack>
  );
}

function CancelledLink({ week: { location, days }, from, to }: { week: BookingWeek; from: string; to: string }) {
  const t = useTranslations('bookings.schedule');
  const cancelled = days.reduce((sum, day) => sum + day.cancelled, 0);
  if (cancelled === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t.rich('cancelledHidden', {
        count: cancelled,
        link: (text) => (
          <Anchor
            component={Link}
            size="sm"
            href={bookingsHref({ period: 'dates', from, to, location: location.id, status: 'cancelled' })}
          >
            {text}
          </Anchor>
        ),
      })}
    </Text>
  );
}
