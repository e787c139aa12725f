'use client';

import { Box } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { BookingDay } from '../../_components/types';
import styles from './day.module.css';
import { DayBlock, HOUR } from './day-block';
import { shadesOf } from './shades';
import { useMinuteSince } from './use-minute';

export type Column = BookingDay['columns'][number];

type Props = {
  day: BookingDay;
  columns: Column[];
  /** The id of the specialist whose column a narrow screen shows. */
  narrow: string;
  busy: boolean;
};

/** The grid of the day schedule. It has one column for each specialist; time runs from top to bottom. */
export function DayGrid({ day, columns, narrow, busy }: Props) {
  const { from_minute: from, to_minute: to, ticks } = day;
  const minute = useMinuteSince(day.midnight);
  const now = minute !== null && minute >= from && minute < to ? minute : null;
  const style = {
    '--columns': columns.length,
    '--hour': `${HOUR}px`,
    '--height': `${((to - from) / 60) * HOUR}px`,
  } as CSSProperties;
  return (
    <Box
      className={styles.frame}
      role="region"
      aria-label={`Day at ${day.location.name}`}
      tabIndex={0}
      aria-busy={busy}
    >
      <Box className={styles.grid} style={style} opacity={busy ? 0.55 : 1}>
        <div className={styles.corner} />
        {columns.map((column) => (
          <ColumnName key={column.specialist.id} column={column} narrow={narrow} />
        ))}
        <div className={styles.hours} aria-hidden>
          {ticks.map(({ minute: tick, label }) => (
            <span key={tick} className={styles.hour} style={{ top: ((tick - from) / 60) * HOUR }}>
              {label}
            </span>
          ))}
        </div>
        {columns.map((column) => (
          <DayColumn key={column.specialist.id} day={day} column={column} narrow={narrow} now={now} />
        ))}
      </Box>
    </Box>
  );
}

/** Returns the working hours of a column as text. */
export function hoursText({ working }: Column): string {
  if (working.length === 0) return 'off';
  return working.map(({ start_time, end_time }) => `${start_time}–${end_time}`).join(', ');
}

// Hidden from screen readers, because the list in the column already has the same label.
function ColumnName({ column, narrow }: { column: Column; narrow: string }) {
  return (
    <div className={styles.name} data-narrow={column.specialist.id === narrow || undefined} aria-hidden>
      {column.specialist.name}
      <span className={styles.working}>{hoursText(column)}</span>
    </div>
  );
}

type ColumnProps = { day: BookingDay; column: Column; narrow: string; now: number | null };

function DayColumn({ day, column, narrow, now }: ColumnProps) {
  const { specialist, blocks, working } = column;
  const from = day.from_minute;
  const hours = working.length === 0 ? 'off' : `works ${hoursText(column)}`;
  const label = `${specialist.name}, ${hours}${blocks.length === 0 ? ', no bookings' : ''}`;
  const top = (minute: number) => ((minute - from) / 60) * HOUR;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore lists without bullets.
    <ul className={styles.column} role="list" aria-label={label} data-narrow={specialist.id === narrow || undefined}>
      {shadesOf(day, day.opening, working).map((shade) => (
        <li
          key={`${shade.kind} ${shade.from}`}
          aria-hidden
          className={styles[shade.kind]}
          style={{ top: top(shade.from), height: top(shade.to) - top(shade.from) }}
        />
      ))}
      {now !== null && <li aria-hidden className={styles.now} style={{ top: top(now) }} />}
      {blocks.map((block) => (
        <DayBlock key={`${block.start_minute} ${block.service.id}`} block={block} from={from} />
      ))}
    </ul>
  );
}
