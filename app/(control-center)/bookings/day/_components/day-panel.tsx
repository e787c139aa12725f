'use client';

import { Alert, Anchor, Group, NativeSelect, Stack, Switch, Text, Title } from '@mantine/core';
import Link from 'next/link';
import { useState } from 'react';
import { plural } from '../../../_components/format';
import { EmptyState } from '../../../_components/states';
import { formatLongDate } from '../../_components/format';
import { bookingsHref } from '../../_components/query';
import type { BookingDay } from '../../_components/types';
import styles from './day.module.css';
import { type Column, DayGrid, hoursText } from './day-grid';

/** The schedule of one day: by default, the specialists who work or have a booking. */
export function DayPanel({ day, busy }: { day: BookingDay; busy: boolean }) {
  const [showsAll, setShowsAll] = useState(false);
  const present = day.columns.filter(isPresent);
  const columns = showsAll ? day.columns : present;
  const off = day.columns.length - present.length;
  const { date, location } = day;
  return (
    <Stack gap="sm" className={styles.screen}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4">
          {formatLongDate(date)}
          <Text span c="dimmed" size="sm" ml="xs">
            {summaryOf(day)}, {day.time_zone}
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
      <Columns day={day} columns={columns} busy={busy} />
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

function Columns({ day, columns, busy }: { day: BookingDay; columns: Column[]; busy: boolean }) {
  const [selected, select] = useState<string | null>(null);
  const [first] = columns;
  if (!first && day.columns.length > 0)
    return <EmptyState title="No specialist works on this day">There are no bookings either.</EmptyState>;
  if (!first) {
    return (
      <EmptyState title="No specialists at this location">No published specialist offers a service here.</EmptyState>
    );
  }
  const busiest = columns.find(({ blocks }) => blocks.length > 0) ?? first;
  const narrow = columns.find(({ specialist }) => specialist.id === selected) ?? busiest;
  return (
    <>
      <NativeSelect
        hiddenFrom="sm"
        label="Specialist"
        value={narrow.specialist.id}
        onChange={(event) => select(event.currentTarget.value)}
        data={columns.map((column) => ({ value: column.specialist.id, label: optionOf(column) }))}
      />
      <DayGrid day={day} columns={columns} narrow={narrow.specialist.id} busy={busy} />
      <Text size="xs" c="dimmed">
        Striped: closed. Gray: break, time off, or not working.
      </Text>
    </>
  );
}

function optionOf(column: Column): string {
  const bookings = column.blocks.reduce((sum, { guests }) => sum + guests.length, 0);
  return `${column.specialist.name} · ${hoursText(column)} · ${bookings} booked`;
}

function isPresent({ working, blocks }: Column): boolean {
  return working.length > 0 || blocks.length > 0;
}

function summaryOf({ columns }: BookingDay): string {
  return plural(columns.flatMap(({ blocks }) => blocks.flatMap(({ guests }) => guests)).length, 'booking');
}
