'use client';

import { Box } from '@mantine/core';
import { type CSSProperties, type PointerEvent, useEffect, useRef } from 'react';
import { Block, type MoveHandlers } from './block';
import styles from './calendar.module.css';
import type { Block as Appointment, Axis, Column, Guest } from './columns';
import { lanesOf, type Placed } from './lanes';
import { HOUR, topOf } from './place';
import { followPointer } from './pointer-drag';
import { shadesOf } from './shades';
import type { MoveState } from './use-move';

/** The time axis and its labeled hours. */
export type GridAxis = Axis & { ticks: readonly { minute: number; label: string }[] };

/**
 * Minimum widths in pixels: of a specialist's column in the day schedule, of a day's column in the week schedule, and
 * of a lane.
 */
const MIN_WIDTH = { specialist: 168, day: 128, lane: 104 };

type Props = {
  label: string;
  axis: GridAxis;
  /** Whether each column shows a specialist or a day. */
  across: 'specialist' | 'day';
  columns: readonly Column[];
  /** The key of the column that a narrow screen shows. */
  narrow: string;
  busy: boolean;
  /** The key of today's column, if the columns are days. */
  today?: string | undefined;
  /** Returns the current time on a column's time axis; null if the column does not show today. */
  nowIn: (column: Column) => number | null;
  /** Null if the member may not move bookings. */
  state: MoveState | null;
};

/** The grid of the calendar. Time runs from top to bottom. */
export function Grid({ label, axis, across, columns, narrow, busy, today, nowIn, state }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const onMove = useMoveHandlers(state, frame, axis);
  const placed = columns.map(({ blocks }) => lanesOf(blocks));
  const style = {
    '--columns': placed.map((lanes) => `minmax(${widthOf(across, lanes)}px, 1fr)`).join(' '),
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
      tabIndex={0}
      aria-busy={busy}
    >
      <Box className={styles.grid} style={style} opacity={busy ? 0.55 : 1}>
        <div className={styles.corner} />
        {columns.map(({ key, title, subtitle }) => (
          // Hidden from screen readers, because the list in the column already has the same label.
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
        ))}
        <div className={styles.hours} aria-hidden>
          {axis.ticks.map(({ minute, label: time }) => (
            <span key={minute} className={styles.hour} style={{ top: topOf(minute, axis) }}>
              {time}
            </span>
          ))}
        </div>
        {columns.map((column, index) => (
          <GridColumn
            key={column.key}
            axis={axis}
            column={column}
            placed={placed[index] ?? []}
            across={across}
            isNarrow={column.key === narrow}
            now={nowIn(column)}
            state={state}
            onMove={onMove}
          />
        ))}
      </Box>
    </Box>
  );
}

/** Returns the minimum width of a column in pixels. */
function widthOf(across: Props['across'], placed: readonly Placed[]): number {
  return Math.max(MIN_WIDTH[across], ...placed.map(({ lanes }) => lanes * MIN_WIDTH.lane));
}

function useMoveHandlers(state: MoveState | null, frame: { current: Element | null }, axis: Axis): MoveHandlers | null {
  const latest = useRef(state);
  latest.current = state;
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  if (!state) return null;
  const movedOf = (guest: Guest, block: Appointment, column: string) => {
    return { guest, block, origin: { column, minute: block.start_minute } };
  };
  return {
    byKeys: (guest, block, column) => state.start(movedOf(guest, block, column), 'keys'),
    byPointer: (event: PointerEvent, guest, block, column) => {
      if (!frame.current) return;
      stop.current?.();
      stop.current = followPointer(event.nativeEvent, event.currentTarget, frame.current, axis, {
        onStart: () => latest.current?.start(movedOf(guest, block, column), 'pointer'),
        onMove: (place) => latest.current?.placeAt(place),
        onDrop: () => latest.current?.drop(),
        onCancel: () => latest.current?.cancel(),
      });
    },
  };
}

type ColumnProps = {
  axis: Axis;
  column: Column;
  placed: readonly Placed[];
  across: Props['across'];
  isNarrow: boolean;
  now: number | null;
  state: MoveState | null;
  onMove: MoveHandlers | null;
};

function GridColumn({ axis, column, placed, across, isNarrow, now, state, onMove }: ColumnProps) {
  const { key, label, opening, working } = column;
  const move = state?.move ?? null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore lists without bullets.
    <ul className={styles.column} role="list" aria-label={label} data-column={key} data-narrow={isNarrow || undefined}>
      {shadesOf(axis, opening, working).map((shade) => (
        <li
          key={`${shade.kind} ${shade.from}`}
          aria-hidden
          className={styles[shade.kind]}
          style={{ top: topOf(shade.from, axis), height: topOf(shade.to, axis) - topOf(shade.from, axis) }}
        />
      ))}
      {now !== null && <li aria-hidden className={styles.now} style={{ top: topOf(now, axis) }} />}
      {placed.map(({ block, lane, lanes }) => (
        <Block
          key={`${block.start_minute} ${block.service.id} ${block.specialist.id}`}
          block={block}
          lane={lane}
          lanes={lanes}
          compact={across === 'day'}
          names={column.specialist === null}
          axis={axis}
          column={key}
          onMove={onMove}
          moving={move?.guest.reference ?? null}
        />
      ))}
      {state?.stops?.get(key)?.map(({ minute }) => (
        <li key={`free ${minute}`} aria-hidden className={styles.free} style={{ top: topOf(minute, axis) }} />
      ))}
      {state && <Ghost state={state} axis={axis} column={key} />}
    </ul>
  );
}

/** Shows where the booking that is being moved would go. */
function Ghost({ state: { move, landing }, axis, column }: { state: MoveState; axis: Axis; column: string }) {
  const element = useRef<HTMLLIElement>(null);
  const isHere = landing?.place.column === column;
  const minute = landing?.place.minute;
  const follows = move?.by === 'keys';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element moves when the minute changes.
  useEffect(() => {
    if (isHere && follows) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isHere, follows, minute]);
  if (!move || !landing || !isHere) return null;
  const { block } = move;
  const slot = landing.kind === 'slot' ? landing.slot : null;
  const length = slot
    ? (Date.parse(slot.ends_at) - Date.parse(slot.starts_at)) / 60_000
    : block.end_minute - block.start_minute;
  const text = slot ? `${slot.start_time}–${slot.end_time}` : TEXTS[landing.kind];
  return (
    <li
      ref={element}
      aria-hidden
      className={styles.ghost}
      data-refused={landing.kind === 'none' || undefined}
      style={{ top: topOf(landing.place.minute, axis), height: (length / 60) * HOUR }}
    >
      {text}
    </li>
  );
}

const TEXTS: Record<string, string> = { origin: 'Current time', none: 'Not available', loading: 'Loading…' };
