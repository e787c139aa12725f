'use client';

import { Alert, Anchor, Group, NativeSelect, Stack, Switch, Text, Title } from '@mantine/core';
import Link from 'next/link';
import { useState } from 'react';
import { plural } from '../../../_components/format';
import { EmptyState } from '../../../_components/states';
import styles from '../../_components/calendar/calendar.module.css';
import { type Column, countBookings, dayColumns, hoursText, isPresent } from '../../_components/calendar/columns';
import { Grid } from '../../_components/calendar/grid';
import { MoveBar } from '../../_components/calendar/move-bar';
import { MoveDialog } from '../../_components/calendar/move-dialog';
import { useMinuteSince } from '../../_components/calendar/use-minute';
import { useMove } from '../../_components/calendar/use-move';
import { formatLongDate, timeInZone } from '../../_components/format';
import { bookingsHref } from '../../_components/query';
import type { BookingDay } from '../../_components/types';

type Props = { day: BookingDay; busy: boolean; canEdit: boolean };

/** The schedule of one day: by default, the specialists who work or have a booking. */
export function DayPanel({ day, busy, canEdit }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const all = dayColumns(day);
  const present = all.filter(isPresent);
  const columns = showsAll ? all : present;
  const off = all.length - present.length;
  const { date, location } = day;
  return (
    <Stack gap="sm" className={styles.screen}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4">
          {formatLongDate(date)}
          <Text span c="dimmed" size="sm" ml="xs">
            {plural(
              all.reduce((sum, column) => sum + countBookings(column), 0),
              'booking',
            )}
            , {day.time_zone}
          </Text>
        </Title>
        {off > 0 && (
          <Switch
            label={`Show ${plural(off, 'specialist')} who ${off === 1 ? 'is' : 'are'} off`}
            checked={showsAll}
            onChange={(event) => setShowsAll(event.currentTarget.checked)}
          />
        )}
      </Group>
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
      <Columns day={day} columns={columns} busy={busy} canEdit={canEdit} />
      {day.cancelled > 0 && (
        <Text size="sm" c="dimmed">
          Canceled bookings are hidden.{' '}
          <Anchor
            component={Link}
            size="sm"
            href={bookingsHref({ period: 'dates', from: date, to: date, location: location.id, status: 'cancelled' })}
          >
            Show {day.cancelled} canceled
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}

function Columns({ day, columns, busy, canEdit }: Props & { columns: Column[] }) {
  const [selected, select] = useState<string | null>(null);
  const now = useMinuteSince(day.midnight);
  const midnight = Date.parse(day.midnight);
  const state = useMove({ columns, minuteOf: ({ starts_at }) => (Date.parse(starts_at) - midnight) / 60_000 });
  const [first] = columns;
  if (!first && day.columns.length > 0)
    return <EmptyState title="No specialist works on this day">There are no bookings either.</EmptyState>;
  if (!first) {
    return (
      <EmptyState title="No specialists at this location">No published specialist offers a service here.</EmptyState>
    );
  }
  const busiest = columns.find(({ blocks }) => blocks.length > 0) ?? first;
  // While a booking is moved, a narrow screen shows the column to which it would go.
  const shown = state.move?.by === 'keys' ? state.landing?.place.column : selected;
  const narrow = columns.find(({ key }) => key === shown) ?? busiest;
  const isShown = now !== null && now >= day.from_minute && now < day.to_minute;
  const { location, time_zone: timeZone } = day;
  return (
    <>
      <NativeSelect
        hiddenFrom="sm"
        label="Specialist"
        value={narrow.key}
        onChange={(event) => select(event.currentTarget.value)}
        data={columns.map((column) => ({ value: column.key, label: optionOf(column) }))}
      />
      <Grid
        label={`Day at ${location.name}`}
        axis={day}
        columns={columns}
        narrow={narrow.key}
        busy={busy}
        nowIn={() => (isShown ? now : null)}
        state={canEdit ? state : null}
      />
      <MoveBar state={state} columns={columns} location={location.name} across="specialist" />
      <Text size="xs" c="dimmed">
        Striped: closed. Gray: break, time off, or not working.
        {canEdit && ' Drag a booking to reschedule it, or focus it and press M.'}
      </Text>
      <MoveDialog
        state={state}
        columns={columns}
        location={location.name}
        timeZone={timeZone}
        timeOf={(minute) => timeInZone(midnight + minute * 60_000, timeZone)}
      />
    </>
  );
}

function optionOf(column: Column): string {
  return `${column.title} · ${hoursText(column.working)} · ${countBookings(column)} booked`;
}
