'use client';

import { Alert, Anchor, Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { EmptyState } from '../../../_components/states';
import { useIsNarrow } from '../../../_components/use-is-narrow';
import { useBlockDialog } from '../../_components/calendar/block-dialog';
import { Calendar } from '../../_components/calendar/calendar';
import styles from '../../_components/calendar/calendar.module.css';
import { type Column, countBookings, dayColumns, isPresent } from '../../_components/calendar/columns';
import { DayRows } from '../../_components/calendar/day-rows';
import { useOptions } from '../../_components/calendar/options';
import schedule from '../../_components/calendar/schedule.module.css';
import { useMinuteSince } from '../../_components/calendar/use-minute';
import type { BlockOpener } from '../../_components/calendar/use-selection';
import { clockText, dateText, localMinute, longDateText } from '../../_components/format';
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
  const t = useTranslations('bookings.day');
  const both = useTranslations('bookings.schedule');
  const format = useFormats();
  const blocking = useBlockDialog(day);
  const [showsAll, setShowsAll] = useState(false);
  const all = dayColumns({ t: both, format }, day);
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
          {isNarrow ? dateText(format, date) : longDateText(format, date)}
          <Text span c="dimmed" size={isNarrow ? 'xs' : 'sm'} ml="xs">
            {both('summary', {
              count: all.reduce((sum, column) => sum + countBookings(column), 0),
              timeZone: day.time_zone,
            })}
          </Text>
        </Title>
        <Group gap="md">
          {off > 0 && !showsRows && (
            <Switch
              label={t('showOff', { count: off })}
              checked={showsAll}
              onChange={(event) => setShowsAll(event.currentTarget.checked)}
            />
          )}
          {canBlock && (
            <Button variant="default" size="xs" onClick={() => blocking.open(null)}>
              {t('blockTime')}
            </Button>
          )}
        </Group>
      </div>
      {day.opening.length === 0 && (
        <Alert color="yellow" title={t('closed', { location: location.name })}>
          {t('closedHint')}
        </Alert>
      )}
      {day.truncated && (
        <Alert color="yellow" title={both('notAll')}>
          {t('truncated')}
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
          {both.rich('cancelledHidden', {
            count: day.cancelled,
            link: (text) => (
              <Anchor
                component={Link}
                size="sm"
                href={bookingsHref({
                  period: 'dates',
                  from: date,
                  to: date,
                  location: location.id,
                  status: 'cancelled',
                })}
              >
                {text}
              </Anchor>
            ),
          })}
        </Text>
      )}
    </Stack>
  );
}

type RowsProps = { day: BookingDay; columns: readonly Column[]; busy: boolean; block: BlockOpener | null };

function Rows({ day, columns, busy, block }: RowsProps) {
  const t = useTranslations('bookings.day');
  const now = useMinuteSince(day.midnight);
  const isToday = now !== null && now >= 0 && now < day.clock.minutes;
  const label = t('rowsLabel', { location: day.location.name });
  return <DayRows label={label} columns={columns} now={isToday ? now : null} busy={busy} block={block} />;
}

type ColumnsProps = Omit<Props, 'canBlock' | 'layout'> & { columns: Column[]; block: BlockOpener | null };

function Columns({ day, columns, busy, canEdit, block }: ColumnsProps) {
  const t = useTranslations('bookings.day');
  const optionOf = useOptions();
  const now = useMinuteSince(day.midnight);
  const midnight = Date.parse(day.midnight);
  const [first, ...others] = columns;
  if (!first && day.columns.length > 0) return <EmptyState title={t('noneWorks')}>{t('noneWorksHint')}</EmptyState>;
  if (!first) return <EmptyState title={t('noSpecialists')}>{t('noSpecialistsHint')}</EmptyState>;
  const isToday = now !== null && now >= 0 && now < day.clock.minutes;
  return (
    <Calendar
      label={t('label', { location: day.location.name })}
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
