'use client';

import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { newBookingHref } from '../query';
import { type Preset, RescheduleDialog } from '../reschedule-dialog';
import type { MoveSlot } from '../types';
import styles from './calendar.module.css';
import type { Block, BlockBooking, Column } from './columns';
import { Grid, type GridProps } from './grid';
import { Legend } from './legend';
import { NarrowPicker } from './narrow-picker';
import { refusalText } from './refusal';
import { type Landing, type Moved, useMove } from './use-move';
import type { BlockOpener } from './use-selection';

type Props = Omit<
  GridProps,
  'columns' | 'narrow' | 'drag' | 'reschedule' | 'book' | 'describedBy' | 'onSwipe' | 'swiped'
> & {
  columns: readonly [Column, ...Column[]];
  /** Returns the text for a column in the list from which the user selects a column on a narrow screen. */
  optionOf: (column: Column) => string;
  /** The `key` of the column that a narrow screen shows first. */
  initial: string | undefined;
  canEdit: boolean;
  location: { id: string; name: string };
  timeZone: string;
  /** Returns the minute on the time axis at which a slot starts. */
  minuteOf: (slot: MoveSlot) => number;
  /** Returns the local time of a minute on the time axis. */
  timeOf: (minute: number) => string;
  /** Opens the form for a block. Null if the member may not block time. */
  block: BlockOpener | null;
};

/** The booking that the dialog reschedules, and the time at which it was dropped. */
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

/** Focuses a booking's link in the calendar. If there is no such link, focuses the page title. */
function focusBooking(reference: string): void {
  const link = document.querySelector<HTMLElement>(`[data-reference="${CSS.escape(reference)}"] a`);
  (link ?? document.querySelector<HTMLElement>('main h1'))?.focus();
}
