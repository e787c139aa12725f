'use client';

import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { plural } from '../../../_components/format';
import { useIsNarrow } from '../../../_components/use-is-narrow';
import { Calendar } from '../../_components/calendar/calendar';
import styles from '../../_components/calendar/calendar.module.css';
import { countBookings } from '../../_components/calendar/columns';
import schedule from '../../_components/calendar/schedule.module.css';
import { useNow } from '../../_components/calendar/use-minute';
import { minutesOf, peopleOf, timeOf, weekColumns } from '../../_components/calendar/week-columns';
import { formatDate, formatWeekday, localMinute } from '../../_components/format';
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
  const { location, time_zone: timeZone, days } = week;
  const isNarrow = useIsNarrow();
  const specialist = peopleOf(week).find(({ id }) => id === selected)?.id ?? null;
  const [first, ...others] = weekColumns(week, specialist);
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
  const booked = columns.reduce((sum, column) => sum + countBookings(column), 0);
  return (
    <Stack gap="sm" className={styles.screen}>
      <div className={schedule.heading}>
        <Title order={2} size="h4">
          {isNarrow ? `${formatWeekday(from)} – ${formatWeekday(to)}` : `${formatDate(from)} – ${formatDate(to)}`}
          <Text span c="dimmed" size={isNarrow ? 'xs' : 'sm'} ml="xs">
            {plural(booked, 'booking')}, {timeZone}
          </Text>
        </Title>
      </div>
      {days.every(({ opening }) => opening.length === 0) && (
        <Alert color="yellow" title={`${location.name} is closed this week`}>
          Bookings on closed days are not canceled automatically.
        </Alert>
      )}
      {week.truncated && (
        <Alert color="yellow" title="Not all bookings are shown">
          This week has more bookings than the schedule can show. To see all of them, open the list.
        </Alert>
      )}
      <Calendar
        // Resets the calendar when the location or week changes. A narrow screen, which shows only one column, then
        // shows the column `initial` again.
        key={`${location.id} ${from}`}
        label={`Week schedule for ${location.name}`}
        axis={week}
        columns={columns}
        columnKind="day"
        optionOf={(column) =>
          `${column.title} · ${column.working.length > 0 ? '' : 'off · '}${countBookings(column)} booked`
        }
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
  const cancelled = days.reduce((sum, day) => sum + day.cancelled, 0);
  if (cancelled === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      Canceled bookings are hidden.{' '}
      <Anchor
        component={Link}
        size="sm"
        href={bookingsHref({ period: 'dates', from, to, location: location.id, status: 'cancelled' })}
      >
        Show {plural(cancelled, 'canceled booking')}
      </Anchor>
    </Text>
  );
}
