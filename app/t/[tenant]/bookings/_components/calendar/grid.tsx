'use client';

import { Box } from '@mantine/core';
import { type CSSProperties, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import type { MoveHandlers } from './block';
import styles from './calendar.module.css';
import type { Block as Appointment, Axis, BlockBooking, Column } from './columns';
import { GridColumn } from './grid-column';
import { itemsOf } from './items';
import { type Layout, lanesOf, limitLanes } from './lanes';
import { HOUR, topOf } from './place';
import { followPointer } from './pointer-drag';
import { useColumnWidth, useIsNarrow, useItems } from './use-items';
import type { MoveState } from './use-move';
import { useStart } from './use-start';
import { useSwipe } from './use-swipe';

/** The time axis and its labeled hours. */
export type GridAxis = Axis & { ticks: readonly { minute: number; label: string }[] };

/**
 * Minimum widths in pixels. In the day schedule, `specialist` applies to a specialist's column, and `lane` to each lane
 * in it. In the week schedule, `day` applies to a day's column, regardless of its number of lanes, so that the whole
 * week fits into a window.
 */
const MIN_WIDTH = { specialist: 168, lane: 104, day: 92 };

type Props = {
  label: string;
  axis: GridAxis;
  /** Whether each column shows a specialist or a day. */
  columnKind: 'specialist' | 'day';
  columns: readonly Column[];
  /** The `key` of the column that a narrow screen shows. */
  narrow: string;
  busy: boolean;
  /** The `key` of today's column, if the columns are days. */
  today?: string | undefined;
  /** Returns the position of the current time on the time axis, in minutes. Null if the column does not show today. */
  nowIn: (column: Column) => number | null;
  /** The state of a move (see `useMove`). Null if the member may not move bookings. */
  state: MoveState | null;
  /** Returns the URL of a day's schedule. A column links to it in place of bookings that do not fit side by side. */
  moreHref: (column: Column) => string;
  /** The ID of the text that explains the calendar. */
  describedBy: string;
  /** Selects the neighboring column on a narrow screen. */
  onSwipe: (direction: 'next' | 'previous') => void;
  /** The direction of the last swipe; null if no swipe selected the current column. */
  swiped: 'next' | 'previous' | null;
};

/** The grid of the calendar. Time runs from top to bottom. The Tab key reaches only one of the links to bookings. */
export function Grid(props: Props) {
  const { label, axis, columnKind, columns, narrow, busy, today, nowIn, state, moreHref, onSwipe, swiped } = props;
  const frame = useRef<HTMLDivElement>(null);
  const onMove = useMoveHandlers(state, frame, axis);
  const width = useColumnWidth(frame);
  const isNarrow = useIsNarrow();
  // The minute to which the calendar scrolls depends on the content of these columns. A narrow screen shows one column.
  // If the columns are days, only the shown day counts. If they are specialists, all columns count, so that the
  // calendar starts at the same minute for every specialist.
  const opened = isNarrow && columnKind === 'day' ? columns.filter(({ key }) => key === narrow) : columns;
  useStart(frame, label, opened, axis, nowIn);
  const layouts = useMemo(
    () => columns.map((column) => layoutOf(column, columnKind, width)),
    [columns, columnKind, width],
  );
  const items = columns.map(({ key }, index) => itemsOf(key, layouts[index] ?? NOTHING));
  const { stop, ...focusing } = useItems(isNarrow ? items.filter((_, index) => columns[index]?.key === narrow) : items);
  const swiping = useSwipe((direction) => isNarrow && onSwipe(direction));
  const style = {
    '--columns': layouts.map((layout) => `minmax(${widthOf(columnKind, layout)}px, 1fr)`).join(' '),
    '--hour': `${HOUR}px`,
    '--height': `${topOf(axis.to_minute, axis)}px`,
  } as CSSProperties;
  const drags = state?.move?.by === 'pointer' && state.move.phase === 'placing';
  return (
    <Box
      ref={frame}
      className={styles.frame}
      data-dragging={drags || undefined}
      role="region"
      aria-label={label}
      aria-describedby={props.describedBy}
      // If the calendar contains no links, its frame is a tab stop, so that it can be scrolled with the keyboard.
      tabIndex={stop === null ? 0 : undefined}
      aria-busy={busy}
      {...focusing}
      {...swiping}
    >
      <Box className={styles.grid} style={style} opacity={busy ? 0.55 : 1} data-swiped={swiped ?? undefined}>
        <div className={styles.corner} />
        <Names columns={columns} narrow={narrow} today={today} />
        <Hours axis={axis} />
        {columns.map((column, index) => (
          <GridColumn
            key={column.key}
            axis={axis}
            column={column}
            layout={layouts[index] ?? NOTHING}
            isDay={columnKind === 'day'}
            isNarrow={column.key === narrow}
            now={nowIn(column)}
            state={state}
            onMove={onMove}
            stop={stop}
            moreHref={moreHref}
          />
        ))}
      </Box>
    </Box>
  );
}

/** The headers of the columns. Screen readers skip them, because the label of each column's list says the same. */
function Names({ columns, narrow, today }: Pick<Props, 'columns' | 'narrow' | 'today'>) {
  return columns.map(({ key, title, subtitle }) => (
    <div
      key={key}
      className={styles.name}
      data-narrow={key === narrow || undefined}
      data-today={key === today || undefined}
      aria-hidden
    >
      {title}
      <span className={styles.working}>{subtitle}</span>
    </div>
  ));
}

function Hours({ axis }: Pick<Props, 'axis'>) {
  return (
    <div className={styles.hours} aria-hidden>
      {axis.ticks.map(({ minute, label }) => (
        <span key={minute} className={styles.hour} style={{ top: topOf(minute, axis) }}>
          {label}
        </span>
      ))}
    </div>
  );
}

const NOTHING: Layout = { shown: [], more: [] };

/** Divides the blocks of a column into shown and hidden ones. Blocks are hidden only in the week schedule. */
function layoutOf({ blocks }: Column, columnKind: Props['columnKind'], width: number): Layout {
  const placed = lanesOf(blocks);
  return columnKind === 'day' ? limitLanes(placed, width) : { shown: placed, more: [] };
}

/** Returns the minimum width of a column in pixels. */
function widthOf(columnKind: Props['columnKind'], { shown }: Layout): number {
  if (columnKind === 'day') return MIN_WIDTH.day;
  return Math.max(MIN_WIDTH.specialist, ...shown.map(({ lanes }) => lanes * MIN_WIDTH.lane));
}

function useMoveHandlers(state: MoveState | null, frame: { current: Element | null }, axis: Axis): MoveHandlers | null {
  const latest = useRef(state);
  latest.current = state;
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  if (!state) return null;
  const movedOf = (booking: BlockBooking, block: Appointment, column: string) => {
    return { booking, block, origin: { column, minute: block.start_minute } };
  };
  return {
    byKeys: (booking, block, column) => state.start(movedOf(booking, block, column), 'keys'),
    byPointer: (event: PointerEvent, booking, block, column) => {
      if (!frame.current) return;
      stop.current?.();
      stop.current = followPointer(event.nativeEvent, event.currentTarget, frame.current, axis, {
        onStart: () => latest.current?.start(movedOf(booking, block, column), 'pointer'),
        onMove: (place) => latest.current?.placeAt(place),
        onDrop: () => latest.current?.drop(),
        onCancel: () => latest.current?.cancel(),
      });
    },
  };
}
