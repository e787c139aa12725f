'use client';

import { Anchor, Box, Text } from '@mantine/core';
import Link from 'next/link';
import { type CSSProperties, useId } from 'react';
import { STATUS_NAMES } from '../../_components/format';
import { bookingHref } from '../../_components/query';
import type { BookingDay } from '../../_components/types';
import styles from './day.module.css';

/**
 * Height of one hour, and minimum height of the block that shows a booking, in pixels. A block with less height would
 * be hard to click.
 */
const HOUR = 84;
const MIN_HEIGHT = 46;

type Column = BookingDay['columns'][number];
type Block = Column['blocks'][number];

/** The grid of the day schedule. It has one column for each specialist; time runs from top to bottom. */
export function DayGrid({ day, busy }: { day: BookingDay; busy: boolean }) {
  const { from_minute: from, to_minute: to, columns, ticks } = day;
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
        {columns.map(({ specialist }) => (
          <ColumnName key={specialist.id} name={specialist.name} />
        ))}
        <div className={styles.hours} aria-hidden>
          {ticks.map(({ minute, label }) => (
            <span key={minute} className={styles.hour} style={{ top: ((minute - from) / 60) * HOUR }}>
              {label}
            </span>
          ))}
        </div>
        {columns.map((column) => (
          <DayColumn key={column.specialist.id} column={column} from={from} />
        ))}
      </Box>
    </Box>
  );
}

// Hidden from screen readers, because the list in the column already has the specialist's name as its label.
function ColumnName({ name }: { name: string }) {
  return (
    <div className={styles.name} aria-hidden>
      {name}
    </div>
  );
}

function DayColumn({ column: { specialist, blocks }, from }: { column: Column; from: number }) {
  const label = blocks.length === 0 ? `${specialist.name}, no bookings` : specialist.name;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore lists without bullets.
    <ul className={styles.column} role="list" aria-label={label}>
      {blocks.map((block) => (
        <DayBlock key={`${block.start_minute} ${block.service.id}`} block={block} from={from} />
      ))}
    </ul>
  );
}

function DayBlock({ block, from }: { block: Block; from: number }) {
  const service = useId();
  const { guests } = block;
  const isOver = guests.every(({ status }) => status !== 'confirmed');
  const style = {
    top: ((block.start_minute - from) / 60) * HOUR + 1,
    height: Math.max(MIN_HEIGHT, ((block.end_minute - block.start_minute) / 60) * HOUR) - 2,
  };
  return (
    <li className={`${styles.block} ${isOver ? styles.over : ''}`} style={style}>
      <Text span fz={12} fw={600} id={service}>
        {block.start_time}–{block.end_time} {block.service.name}
      </Text>
      <ul className={styles.guests} aria-labelledby={service}>
        {guests.map((guest) => (
          <li key={guest.reference}>
            <Anchor
              component={Link}
              href={bookingHref(guest.reference)}
              prefetch={false}
              className={styles.guest}
              fz={12}
              title={`${guest.external_reference}, ${guest.application_name}`}
            >
              {guest.external_reference}
              {guest.status !== 'confirmed' && ` · ${STATUS_NAMES[guest.status]}`}
            </Anchor>
          </li>
        ))}
      </ul>
    </li>
  );
}
