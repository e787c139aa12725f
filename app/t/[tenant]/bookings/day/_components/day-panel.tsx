'use client';

import { Alert, Anchor, Button, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from '@/app/_components/link';
import { plural } from '../../../_components/format';
import { EmptyState } from '../../../_components/states';
import { useIsNarrow } from '../../../_components/use-is-narrow';
import { useBlockDialog } from '../../_components/calendar/block-dialog';
import { Calendar } from '../../_components/calendar/calendar';
import styles from '../../_components/calendar/calendar.module.css';
import { type Column, countBookings, dayColumns, isPresent } from '../../_components/calendar/columns';
import { DayRows } from '../../_components/calendar/day-rows';
import schedule from '../../_components/calendar/schedule.module.css';
import { useMinuteSince } from '../../_components/calendar/use-minute';
import type { BlockOpener } from '../../_components/calendar/use-selection';
import { clockText, formatDate, formatLongDate, localMinute } from '../../_components/format';
import { bookingsHref, dayHref } from '../../_components/query';
import type { BookingDay } from '../../_components/types';

type Props = {
  day: BookingDay;
  busy: boolean;
  canEdit: boolean;
  canBlock: boolean;
  /** What a narrow screen shows. */
  layout: 'rows' | 'calendar';
};

/** The schedule of one day. By default, it shows the specialists who work or have a booking. */
export function DayPanel({ day, busy, canEdit, canBlock, layout }: Props) {
  const blocking = useBlockDialog(day);
  const [showsAll, setShowsAll] = useState(false);
  const all = dayColumns(day);
  const present = all.filter(isPresent);
  const columns = showsAll ? all : present;
  const off = all.length - present.length;
  const { date, location } = day;
  const isNarrow = useIsNarrow();
  const showsRows = isNarrow && layout === 'rows';
  return (
    <Stack gap="sm" className={styles.screen}>
      <div className={schedule.heading}>
        <Title order={2} size="h4">
          {isNarrow ? formatDate(date) : formatLongDate(date)}
          <Text span c="dimmed" size={isNarrow ? 'xs' : 'sm'} ml="xs">
            {plural(
              all.reduce((sum, column) => sum + countBookings(column), 0),
              'booking',
            )}
            , {day.time_zone}
          </Text>
        </Title>
        {canBlock && (
          <Button variant="default" size="xs" onClick={() => blocking.open(null)}>
            Block time
          </Button>
        )}
        {off > 0 && !showsRows && (
          <Switch
            label={`Show ${plural(off, 'specialist')} who ${off === 1 ? 'is' : 'are'} off`}
            checked={showsAll}
            onChange={(event) => setShowsAll(event.currentTarget.checked)}
          />
        )}
      </div>
      {day.opening.length === 0 && (
        <Alert color="yellow" title={`${location.name} is closed on this day`}>
          Bookings on a closed day are not canceled automatically.
        </Alert>
      )}
      {day.truncated && (
        <Alert color="yellow" title="Not all bookings are shown">
          This day has more bookings than the schedule can show. To see all of them, open the list.
        </Alert>
      )}
      {showsRows ? (
        <Rows day={day} columns={present} busy={busy} block={canBlock ? blocking.open : null} />
      ) : (
        <Columns day={day} columns={columns} busy={busy} canEdit={canEdit} block={canBlock ? blocking.open : null} />
      )}
      {blocking.dialog}
      {day.cancelled > 0 && (
        <Text size="sm" c="dimmed">
          Canceled bookings are hidden.{' '}
          <Anchor
            component={Link}
            size="sm"
            href={bookingsHref({ period: 'dates', from: date, to: date, location: location.id, status: 'cancelled' })}
          >
            Show {plural(day.cancelled, 'canceled booking')}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

type RowsProps = { day: BookingDay; columns: readonly Column[]; busy: boolean; block: BlockOpener | null };

function Rows({ day, columns, busy, block }: RowsProps) {
  const now = useMinuteSince(day.midnight);
  const isToday = now !== null && now >= 0 && now < day.clock.minutes;
  const label = `Bookings at ${day.location.name}`;
  return <DayRows label={label} columns={columns} now={isToday ? now : null} busy={busy} block={block} />;
}

type ColumnsProps = Omit<Props, 'canBlock' | 'layout'> & { columns: Column[]; block: BlockOpener | null };

function Columns({ day, columns, busy, canEdit, block }: ColumnsProps) {
  const now = useMinuteSince(day.midnight);
  const midnight = Date.parse(day.midnight);
  const [first, ...others] = columns;
  if (!first && day.columns.length > 0)
    return <EmptyState title="No specialist works on this day">There are no bookings either.</EmptyState>;
  if (!first) {
    return (
      <EmptyState title="No specialists at this location">No published specialist offers a service here.</EmptyState>
    );
  }
  const isToday = now !== null && now >= 0 && now < day.clock.minutes;
  return (
    <Calendar
      label={`Day schedule for ${day.location.name}`}
      axis={day}
      columns={[first, ...others]}
      columnKind="specialist"
      optionOf={optionOf}
      initial={columns.find(({ blocks }) => blocks.length > 0)?.key}
      busy={busy}
      canEdit={canEdit}
      block={block}
      location={day.location}
      timeZone={day.time_zone}
      nowIn={() => (isToday ? now : null)}
      minuteOf={({ starts_at }) => (Date.parse(starts_at) - midnight) / 60_000}
      moreHref={({ date }) => dayHref({ location: day.location.id, date })}
      timeOf={(minute) => clockText(localMinute(day.clock, minute))}
    />
  );
}

function optionOf(column: Column): string {
  return `${column.title} · ${column.working.length > 0 ? '' : 'off · '}${countBookings(column)} booked`;
}
