'use client';

import { ActionIcon, Group, NativeSelect, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { MoveSlot } from '../types';
import type { Column } from './columns';
import { Grid, type GridAxis } from './grid';
import { MoveBar } from './move-bar';
import { MoveDialog } from './move-dialog';
import { useMove } from './use-move';

type Props = {
  label: string;
  axis: GridAxis;
  columns: readonly [Column, ...Column[]];
  /** Whether each column shows a specialist or a day. */
  across: 'specialist' | 'day';
  /** Returns the text for a column in the list from which the user of a narrow screen selects a column. */
  optionOf: (column: Column) => string;
  /** The key of the column that a narrow screen shows first. */
  initial: string | undefined;
  busy: boolean;
  canEdit: boolean;
  location: string;
  timeZone: string;
  /** The key of today's column, if the columns are days. */
  today?: string | undefined;
  /** Returns the URL of a column's day, to which the links to hidden bookings lead. */
  moreHref: (column: Column) => string;
  /** Returns the current time in minutes, as on the time axis; null if the column does not show today. */
  nowIn: (column: Column) => number | null;
  /**
   * `minuteOf` returns the minute on the time axis at which a slot starts. `timeOf` returns the local time of a minute
   * on the time axis.
   */
  minuteOf: (slot: MoveSlot) => number;
  timeOf: (minute: number) => string;
};

/** The calendar: a grid of bookings that can be moved. A narrow screen shows one column at a time. */
export function Calendar(props: Props) {
  const { label, axis, columns, across, optionOf, initial, busy, canEdit, location, timeZone, nowIn } = props;
  const [selected, select] = useState<string | null>(null);
  const [swiped, setSwiped] = useState<'next' | 'previous' | null>(null);
  const hint = useId();
  const state = useMove({ columns, minuteOf: props.minuteOf });
  // While a booking is moved with the keys, a narrow screen shows the column to which the booking would go.
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
        across={across}
        options={options}
        value={narrow.key}
        onChange={(key) => {
          setSwiped(null);
          select(key);
        }}
      />
      <Grid
        label={label}
        axis={axis}
        across={across}
        columns={columns}
        narrow={narrow.key}
        busy={busy}
        today={props.today}
        nowIn={nowIn}
        state={canEdit ? state : null}
        moreHref={props.moreHref}
        describedBy={hint}
        onSwipe={swipe}
        swiped={swiped}
      />
      <MoveBar state={state} columns={columns} location={location} across={across} />
      <Text size="xs" c="dimmed" id={hint}>
        Striped: closed. Gray: break, time off, or not working. The arrow keys select a booking.
        {canEdit && ' Drag a booking to reschedule it, or focus it and press M.'}
      </Text>
      <MoveDialog
        state={state}
        columns={columns}
        across={across}
        location={location}
        timeZone={timeZone}
        timeOf={props.timeOf}
      />
    </>
  );
}

type PickerProps = {
  across: Props['across'];
  options: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
};

/** Selects the column that a narrow screen shows, from a list or with buttons for the neighboring columns. */
function NarrowPicker({ across, options, value, onChange }: PickerProps) {
  const index = options.findIndex((option) => option.value === value);
  const button = (name: string, to: number, Icon: typeof IconChevronLeft) => {
    const target = options[to]?.value;
    return (
      <ActionIcon
        variant="default"
        size={36}
        aria-label={`${name} ${across}`}
        disabled={target === undefined}
        onClick={() => target !== undefined && onChange(target)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <Group hiddenFrom="sm" gap="xs" align="flex-end" wrap="nowrap">
      {button('Previous', index - 1, IconChevronLeft)}
      <NativeSelect
        label={across === 'day' ? 'Day' : 'Specialist'}
        flex={1}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={options}
      />
      {button('Next', index + 1, IconChevronRight)}
    </Group>
  );
}
