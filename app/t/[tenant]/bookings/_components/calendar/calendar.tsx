'use client';

import { useId, useState } from 'react';
import type { MoveSlot } from '../types';
import styles from './calendar.module.css';
import type { Column } from './columns';
import { Grid, type GridAxis } from './grid';
import { Legend } from './legend';
import { MoveBar } from './move-bar';
import { MoveDialog } from './move-dialog';
import { NarrowPicker } from './narrow-picker';
import { useMove } from './use-move';

type Props = {
  label: string;
  axis: GridAxis;
  columns: readonly [Column, ...Column[]];
  /** Whether each column shows a specialist or a day. */
  columnKind: 'specialist' | 'day';
  /** Returns the text for a column in the list from which the user selects a column on a narrow screen. */
  optionOf: (column: Column) => string;
  /** The `key` of the column that a narrow screen shows first. */
  initial: string | undefined;
  busy: boolean;
  canEdit: boolean;
  location: string;
  timeZone: string;
  /** The `key` of today's column, if the columns are days. */
  today?: string | undefined;
  /** Returns the URL of a day's schedule. A column links to it in place of bookings that do not fit side by side. */
  moreHref: (column: Column) => string;
  /** Returns the current time as a minute on the time axis; null if the column does not show today. */
  nowIn: (column: Column) => number | null;
  /** Returns the minute on the time axis at which a slot starts. */
  minuteOf: (slot: MoveSlot) => number;
  /** Returns the local time of a minute on the time axis. */
  timeOf: (minute: number) => string;
};

/** The calendar: a grid of bookings that can be moved. A narrow screen shows one column at a time. */
export function Calendar(props: Props) {
  const { label, axis, columns, columnKind, optionOf, initial, busy, canEdit, location, timeZone, nowIn } = props;
  const [selected, select] = useState<string | null>(null);
  const [swiped, setSwiped] = useState<'next' | 'previous' | null>(null);
  const legend = useId();
  const [showsLegend, setShowsLegend] = useState(false);
  const state = useMove({ columns, minuteOf: props.minuteOf });
  // While a member moves a booking with the keyboard, a narrow screen shows the column to which the booking would move.
  const shown = state.move?.by === 'keys' ? state.landing?.place.column : (selected ?? initial);
  const narrow = columns.find(({ key }) => key === shown) ?? columns[0];
  const options = columns.map((column) => ({ value: column.key, label: optionOf(column) }));
  const swipe = (direction: 'next' | 'previous') => {
    const to = columns[columns.indexOf(narrow) + (direction === 'next' ? 1 : -1)];
    if (!to || state.move) return;
    setSwiped(direction);
    select(to.key);
  };
  return (
    <>
      <NarrowPicker
        columnKind={columnKind}
        options={options}
        value={narrow.key}
        onChange={(key) => {
          setSwiped(null);
          select(key);
        }}
        legend={{ id: legend, opened: showsLegend, toggle: () => setShowsLegend(!showsLegend) }}
      />
      <div className={styles.body}>
        <Grid
          label={label}
          axis={axis}
          columnKind={columnKind}
          columns={columns}
          narrow={narrow.key}
          busy={busy}
          today={props.today}
          nowIn={nowIn}
          state={canEdit ? state : null}
          moreHref={props.moreHref}
          describedBy={legend}
          onSwipe={swipe}
          swiped={swiped}
        />
        <MoveBar state={state} columns={columns} location={location} columnKind={columnKind} />
        <Legend id={legend} opened={showsLegend} canEdit={canEdit} />
      </div>
      <MoveDialog
        state={state}
        columns={columns}
        columnKind={columnKind}
        location={location}
        timeZone={timeZone}
        timeOf={props.timeOf}
      />
    </>
  );
}
