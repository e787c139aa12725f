'use client';

import { Box } from '@mantine/core';
import {
  type CSSProperties,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useFormats } from '@/app/_components/language';
import { useIsNarrow } from '../../../_components/use-is-narrow';
import { timeText } from '../display/format';
import styles from './calendar.module.css';
import { CalendarProvider, type CalendarState } from './calendar-context';
import { GridColumn } from './column';
import type { Axis, Block, BlockBooking, Column } from './columns';
import { startOf } from './columns';
import { followPointer, useSelection, useSwipe } from './gestures';
import { itemsOf, useColumnWidth, useItems } from './items';
import { type Layout, lanesOf, limitLanes } from './lanes';
import { HOUR, topOf } from './place';
import type { MoveState } from './use-move';

/** Number of pixels that stay visible above the minute to which the calendar scrolls. */
const MARGIN = 12;

/** Scrolls again whenever the calendar shows other days or another location, which `label` names. */
function useStart(
  frame: RefObject<HTMLElement | null>,
  label: string,
  columns: readonly Column[],
  axis: Axis,
  nowIn: (column: Column) => number | null,
): void {
  const now = columns.map(nowIn).find((minute) => minute !== null) ?? null;
  // The calendar scrolls when this text changes. The text states whether the current time is known, because it is
  // unknown in the first render.
  const shown = [label, columns[0]?.date, columns.at(-1)?.date, now !== null].join(' ');
  const last = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (!frame.current || last.current === shown) return;
    last.current = shown;
    const start = startOf(columns, now) ?? axis.from_minute;
    frame.current.scrollTop = Math.max(0, topOf(start, axis) - MARGIN);
  });
}

/** The time axis and its labeled hours. */
export type GridAxis = Axis & { ticks: readonly { minute: number; label: string }[] };

/**
 * Minimum widths in pixels. In the day schedule, `specialist` applies to a specialist's column, and `lane` to each lane
 * in it. In the week schedule, `day` applies to a day's column, regardless of its number of lanes, so that the whole
 * week fits into a window.
 */
const MIN_WIDTH = { specialist: 168, lane: 104, day: 92 };

export type GridProps = Pick<
  CalendarState,
  'columnKind' | 'nowIn' | 'drag' | 'reschedule' | 'block' | 'book' | 'moreHref'
> & {
  label: string;
  axis: GridAxis;
  columns: readonly Column[];
  /** The `key` of the column that a narrow screen shows. */
  narrow: string;
  busy: boolean;
  /** The `key` of today's column, if the columns are days. */
  today?: string | undefined;
  describedBy: string;
  onSwipe: (direction: 'next' | 'previous') => void;
  /** The direction of the last swipe; null if no swipe selected the current column. */
  swiped: 'next' | 'previous' | null;
};

/** The grid of the calendar. Time runs from top to bottom. The Tab key reaches only one of the links to bookings. */
export function Grid({ label, columns, narrow, busy, today, describedBy, onSwipe, swiped, ...shared }: GridProps) {
  const { axis, columnKind, nowIn, drag, block, book } = shared;
  const frame = useRef<HTMLDivElement>(null);
  const press = usePress(drag, frame, axis);
  const { selection, select, click } = useSelection(axis, block, book);
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
  return (
    <Box
      ref={frame}
      className={styles.frame}
      data-dragging={drag.move ? true : undefined}
      role="region"
      aria-label={label}
      aria-describedby={describedBy}
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
        <CalendarProvider value={{ ...shared, stop, press, selection, select, click }}>
          {columns.map((column, index) => (
            <GridColumn
              key={column.key}
              column={column}
              layout={layouts[index] ?? NOTHING}
              isNarrow={column.key === narrow}
            />
          ))}
        </CalendarProvider>
      </Box>
    </Box>
  );
}

/** The headers of the columns. Screen readers skip them, because the label of each column's list says the same. */
function Names({ columns, narrow, today }: Pick<GridProps, 'columns' | 'narrow' | 'today'>) {
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

function Hours({ axis }: Pick<GridProps, 'axis'>) {
  const format = useFormats();
  return (
    <div className={styles.hours} aria-hidden>
      {axis.ticks.map(({ minute, label }) => (
        <span key={minute} className={styles.hour} style={{ top: topOf(minute, axis) }}>
          {timeText(format, label)}
        </span>
      ))}
    </div>
  );
}

const NOTHING: Layout = { shown: [], more: [] };

/** Divides the blocks of a column into shown and hidden ones. Blocks are hidden only in the week schedule. */
function layoutOf({ blocks }: Column, columnKind: GridProps['columnKind'], width: number): Layout {
  const placed = lanesOf(blocks);
  return columnKind === 'day' ? limitLanes(placed, width) : { shown: placed, more: [] };
}

function widthOf(columnKind: GridProps['columnKind'], { shown }: Layout): number {
  if (columnKind === 'day') return MIN_WIDTH.day;
  return Math.max(MIN_WIDTH.specialist, ...shown.map(({ lanes }) => lanes * MIN_WIDTH.lane));
}

function usePress(drag: MoveState, frame: { current: Element | null }, axis: Axis) {
  const latest = useRef(drag);
  latest.current = drag;
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  return (event: PointerEvent, booking: BlockBooking, block: Block, column: string) => {
    if (!frame.current) return;
    stop.current?.();
    const moved = { booking, block, origin: { column, minute: block.start_minute } };
    stop.current = followPointer(event.nativeEvent, event.currentTarget, frame.current, axis, {
      onStart: () => latest.current.start(moved),
      onMove: (place) => latest.current.placeAt(place),
      onDrop: (place) => latest.current.drop(moved, place),
      onCancel: () => latest.current.cancel(),
    });
  };
}
