'use client';

import { Alert, Button, Group, SegmentedControl, Stack, Switch, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import type { BlockTimes, SubjectChoice } from '../../../_components/blocks/block-form';
import type { BlockRecord, Subject } from '../../../_components/blocks/use-block-changes';
import { Dialog } from '../../../_components/dialogs/dialog';
import { EmptyState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useIsNarrow } from '../../../_components/use-is-narrow';
import { useUrlState } from '../../../_components/use-url-state';
import { Calendar } from '../../_components/calendar/calendar';
import styles from '../../_components/calendar/calendar.module.css';
import { type Column, countBookings, dayColumns, isPresent, referencesOf } from '../../_components/calendar/columns';
import { DayRows } from '../../_components/calendar/day-rows';
import type { BlockOpener } from '../../_components/calendar/gestures';
import { useOptions } from '../../_components/calendar/options';
import { useMinuteSince } from '../../_components/calendar/use-minute';
import { ViewedNames } from '../../_components/display/customer-names';
import { clockText, dateText, localMinute, longDateText } from '../../_components/display/format';
import { bookingsHref, DAY_PARSERS, dayHref, newBookingHref } from '../../_components/query';
import schedule from '../../_components/schedule/schedule.module.css';
import { CancelledLink, SchedulePage } from '../../_components/schedule/schedule-page';
import { ScheduleSheet } from '../../_components/schedule/schedule-sheet';
import { useSchedule } from '../../_components/schedule/use-schedule';
import type { BookingDay } from '../../_components/types';

/** Shows today by default. Without a location in the URL, `defaultLocation` in `lib/booking/bookings/day.ts` selects one. */
export function DayView({ canEdit, canBlock }: { canEdit: boolean; canBlock: boolean }) {
  const t = useTranslations('bookings.day');
  const trpc = useTRPC();
  const { query, go } = useUrlState(DAY_PARSERS);
  const schedule = useSchedule(query, go);
  const { date, input } = schedule;
  const day = useQuery(
    trpc.bookings.day.queryOptions(input, { placeholderData: keepPreviousData, enabled: date !== null }),
  );
  return (
    <SchedulePage
      unit="day"
      canEdit={canEdit}
      title={t('title')}
      lead={t('lead')}
      schedule={schedule}
      query={query}
      listHref={(location) => bookingsHref(date ? { period: 'dates', from: date, to: date, location } : { location })}
      narrowFilter={<LayoutChoice layout={query.layout} onChange={(layout) => go({ layout })} />}
      loaded={day}
    >
      {(data) => (
        <ViewedNames view="day" references={referencesOf([data])} isAllowed={canEdit}>
          <DayPanel
            key={data.location.id}
            day={data}
            busy={day.isPlaceholderData}
            canEdit={canEdit}
            canBlock={canBlock}
            layout={query.layout}
          />
          <ScheduleSheet location={data.location.name} timeZone={data.time_zone} days={[data]} />
        </ViewedNames>
      )}
    </SchedulePage>
  );
}

type Layout = 'rows' | 'calendar';

function LayoutChoice({ layout, onChange }: { layout: Layout; onChange: (layout: Layout) => void }) {
  const t = useTranslations('bookings.day.layout');
  return (
    <SegmentedControl
      aria-label={t('label')}
      fullWidth
      value={layout}
      onChange={(value) => onChange(value === 'rows' ? 'rows' : 'calendar')}
      data={[
        { value: 'rows', label: t('rows') },
        { value: 'calendar', label: t('calendar') },
      ]}
    />
  );
}

type Props = {
  day: BookingDay;
  busy: boolean;
  canEdit: boolean;
  canBlock: boolean;
  layout: 'rows' | 'calendar';
};

/** The schedule of one day. By default, it shows the specialists who work or have a booking. */
function DayPanel({ day, busy, canEdit, canBlock, layout }: Props) {
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
      <CancelledLink count={day.cancelled} location={location.id} from={date} to={date} />
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

const BlockForm = dynamic(() => import('../../../_components/blocks/block-form').then((module) => module.BlockForm), {
  ssr: false,
});

type Target = { choices: SubjectChoice[]; block: BlockRecord | null; times: BlockTimes; bookHref: string | null };

function useBlockDialog(day: BookingDay) {
  const t = useTranslations('bookings.block');
  const [target, setTarget] = useState<Target | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { date, clock, location, columns } = day;
  const all = choicesOf(t, location, columns);
  const timeAt = (minute: number) =>
    minute >= clock.minutes ? `${dayAfter(date)}T00:00` : `${date}T${clockText(localMinute(clock, minute))}`;
  const open: BlockOpener = (wanted) => {
    if (wanted && 'block' in wanted) {
      const { block } = wanted;
      setTarget({ choices: all.filter(({ subject }) => isOf(block, subject)), block, times: block, bookHref: null });
    } else {
      const first = all.filter(({ subject }) => subject.specialist_id === wanted?.column.specialist?.id);
      const times = wanted
        ? { from: timeAt(wanted.selection.from), to: timeAt(wanted.selection.to) }
        : { from: `${date}T09:00`, to: `${date}T10:00` };
      const bookHref =
        wanted &&
        newBookingHref({
          location: location.id,
          date,
          specialist: wanted.column.specialist?.id ?? null,
          time: clockText(localMinute(clock, wanted.selection.from)),
        });
      const choices = [...first, ...all.filter((choice) => !first.includes(choice))];
      setTarget({ choices, block: null, times, bookHref });
    }
    setOpen(true);
  };
  const dialog = (
    <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t(target?.block ? 'edit' : 'new')}>
      {target?.bookHref && (
        <TextLink href={target.bookHref} display="block" mb="sm">
          {t('book')}
        </TextLink>
      )}
      {target && (
        <BlockForm choices={target.choices} block={target.block} times={target.times} onClose={() => setOpen(false)} />
      )}
    </Dialog>
  );
  return { open, dialog };
}

function choicesOf(
  t: Translator<'bookings.block'>,
  location: BookingDay['location'],
  columns: BookingDay['columns'],
): SubjectChoice[] {
  return [
    ...columns.map(({ specialist: { id, name } }) => ({
      subject: { specialist_id: id, location_id: null },
      label: name,
    })),
    { subject: { specialist_id: null, location_id: location.id }, label: t('everyone', { location: location.name }) },
    { subject: { specialist_id: null, location_id: null }, label: t('business') },
  ];
}

const isOf = (block: BlockRecord, subject: Subject) =>
  block.specialist_id === subject.specialist_id && block.location_id === subject.location_id;

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}
