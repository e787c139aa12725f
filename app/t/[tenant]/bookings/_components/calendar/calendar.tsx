'use client';

import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core';
import { IconAlertTriangle, IconChevronLeft, IconChevronRight, IconInfoCircle } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { type Preset, RescheduleDialog } from '../dialogs/reschedule-dialog';
import { newBookingHref } from '../query';
import type { MoveSlot } from '../types';
import styles from './calendar.module.css';
import type { Block, BlockBooking, Column } from './columns';
import type { BlockOpener } from './gestures';
import { Grid, type GridProps } from './grid';
import { refusalText } from './refusal';
import { type Landing, type Moved, useMove } from './use-move';

type Props = Omit<
  GridProps,
  'columns' | 'narrow' | 'drag' | 'reschedule' | 'book' | 'describedBy' | 'onSwipe' | 'swiped'
> & {
  columns: readonly [Column, ...Column[]];
  optionOf: (column: Column) => string;
  /** The `key` of the column that a narrow screen shows first. */
  initial: string | undefined;
  canEdit: boolean;
  location: { id: string; name: string };
  timeZone: string;
  minuteOf: (slot: MoveSlot) => number;
  timeOf: (minute: number) => string;
  block: BlockOpener | null;
};

type Target = { booking: BlockBooking; block: Block; preset: Preset | null };

/** The calendar: a grid of bookings that can be moved. A narrow screen shows one column at a time. */
export function Calendar(props: Props) {
  const { columns, columnKind, optionOf, initial, canEdit, location, timeZone, minuteOf, timeOf, ...grid } = props;
  const t = useTranslations('bookings.refusal');
  const router = useRouter();
  const hrefOf = useTenantHref();
  const [selected, select] = useState<string | null>(null);
  const [swiped, setSwiped] = useState<'next' | 'previous' | null>(null);
  const legend = useId();
  const [showsLegend, setShowsLegend] = useState(false);
  const [target, setTarget] = useState<Target | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = (next: Target) => {
    setTarget(next);
    setOpen(true);
  };
  const presetOf = ({ block }: Moved, landing: Landing): Preset | null => {
    const { column: key, minute } = landing.place;
    const column = columns.find((one) => one.key === key);
    if (!column) return null;
    const slot = landing.kind === 'slot' ? landing.slot : null;
    return {
      date: column.date,
      start_time: slot?.start_time ?? timeOf(minute),
      starts_at: slot?.starts_at ?? null,
      specialist_id: column.specialist?.id ?? null,
      refusalText: (reason) => refusalText(t, reason, { column, block, minute, location: location.name }),
    };
  };
  const drag = useMove({
    columns,
    minuteOf,
    onDrop: (moved, landing) => open({ ...moved, preset: presetOf(moved, landing) }),
  });
  const narrow = columns.find(({ key }) => key === (selected ?? initial)) ?? columns[0];
  const swipe = (direction: 'next' | 'previous') => {
    const to = columns[columns.indexOf(narrow) + (direction === 'next' ? 1 : -1)];
    if (!to || drag.move) return;
    setSwiped(direction);
    select(to.key);
  };
  return (
    <>
      <NarrowPicker
        columnKind={columnKind}
        options={columns.map((column) => ({ value: column.key, label: optionOf(column) }))}
        value={narrow.key}
        onChange={(key) => {
          setSwiped(null);
          select(key);
        }}
        legend={{ id: legend, opened: showsLegend, toggle: () => setShowsLegend(!showsLegend) }}
      />
      <div className={styles.body}>
        <Grid
          {...grid}
          columns={columns}
          columnKind={columnKind}
          narrow={narrow.key}
          drag={drag}
          reschedule={canEdit ? (booking, block) => open({ booking, block, preset: null }) : null}
          book={
            canEdit
              ? ({ date, specialist }, minute) => {
                  const preset = {
                    location: location.id,
                    date,
                    specialist: specialist?.id ?? null,
                    time: timeOf(minute),
                  };
                  router.push(hrefOf(newBookingHref(preset)));
                }
              : null
          }
          describedBy={legend}
          onSwipe={swipe}
          swiped={swiped}
        />
        <Legend id={legend} opened={showsLegend} canEdit={canEdit} canBlock={grid.block !== null} />
      </div>
      {target && (
        <RescheduleDialog
          booking={{
            ...target.block,
            ...target.booking,
            application: target.booking.application_name === null ? null : { name: target.booking.application_name },
            location: { name: location.name },
            time_zone: timeZone,
          }}
          preset={target.preset}
          opened={isOpen}
          onClose={() => setOpen(false)}
          // `setTimeout` waits until the reloaded data is rendered, because this gives a booking that has moved to a
          // different column a new element.
          onFocus={() => setTimeout(() => focusBooking(target.booking.reference))}
        />
      )}
    </>
  );
}

function focusBooking(reference: string): void {
  const link = document.querySelector<HTMLElement>(`[data-reference="${CSS.escape(reference)}"] a`);
  (link ?? document.querySelector<HTMLElement>('main h1'))?.focus();
}

type LegendProps = {
  id: string;
  opened: boolean;
  canEdit: boolean;
  canBlock: boolean;
};

function Legend({ id, opened, canEdit, canBlock }: LegendProps) {
  const t = useTranslations('bookings.legend');
  return (
    <Text size="xs" c="dimmed" component="div" id={id} className={styles.legend} data-opened={opened || undefined}>
      <span>
        <span className={styles.swatch} data-kind="closed" aria-hidden />
        {t('closed')}
      </span>
      <span>
        <span className={styles.swatch} data-kind="off" aria-hidden />
        {t('off')}
      </span>
      <span>
        <IconAlertTriangle size={13} className={styles.sign} aria-hidden />
        {t('warning')}
      </span>
      {canEdit && <span className={styles.keys}>{t('book')}</span>}
      {canBlock && <span className={styles.keys}>{t('block')}</span>}
      <span className={styles.keys}>
        {t('keys')}
        {canEdit && ` ${t('drag')}`}
      </span>
      {canEdit && <span className={styles.touch}>{t('touch')}</span>}
    </Text>
  );
}

type NarrowPickerProps = {
  columnKind: 'specialist' | 'day';
  options: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
  legend: { id: string; opened: boolean; toggle: () => void };
};

function NarrowPicker({ columnKind, options, value, onChange, legend }: NarrowPickerProps) {
  const t = useTranslations('bookings.schedule.picker');
  const index = options.findIndex((option) => option.value === value);
  const button = (name: 'previous' | 'next', to: number, Icon: typeof IconChevronLeft) => {
    const target = options[to]?.value;
    return (
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t(`${name}.${columnKind}`)}
        disabled={target === undefined}
        onClick={() => target !== undefined && onChange(target)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <Group hiddenFrom="sm" gap="xs" wrap="nowrap">
      {button('previous', index - 1, IconChevronLeft)}
      <NativeSelect
        aria-label={t(columnKind)}
        flex={1}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={options}
      />
      {button('next', index + 1, IconChevronRight)}
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('legend')}
        aria-expanded={legend.opened}
        aria-controls={legend.id}
        onClick={legend.toggle}
      >
        <IconInfoCircle size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
