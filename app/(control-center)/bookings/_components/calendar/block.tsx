'use client';

import { ActionIcon, Anchor, Text } from '@mantine/core';
import { IconArrowsMove } from '@tabler/icons-react';
import { type CSSProperties, type PointerEvent, useId } from 'react';
import { Link } from '@/app/_components/link';
import { STATUS_NAMES } from '../format';
import { bookingHref } from '../query';
import styles from './calendar.module.css';
import { type Block as Appointment, type Axis, type Guest, isOver } from './columns';
import { HOUR, topOf } from './place';

/** Minimum height of a block in pixels. A shorter block would be hard to click. */
const MIN_HEIGHT = 46;

/** Functions that start moving a booking, with the keyboard or with the pointer. */
export type MoveHandlers = {
  byKeys: (guest: Guest, block: Appointment, column: string) => void;
  byPointer: (event: PointerEvent, guest: Guest, block: Appointment, column: string) => void;
};

type Props = {
  block: Appointment;
  axis: Axis;
  /** The key of the block's column. */
  column: string;
  /** The lane that the block takes, counted from 0. `lanes` is the number of lanes side by side. */
  lane: number;
  lanes: number;
  /** Whether the first line shows only the start and the service. Set in narrow columns. */
  compact: boolean;
  /** Whether the block shows its specialist's name. */
  names: boolean;
  /** Null if the member may not move bookings. */
  onMove: MoveHandlers | null;
  /** The reference of the booking that is being moved. */
  moving: string | null;
};

/** One appointment of a specialist. A group shows how many of its seats are taken. */
export function Block({ block, axis, column, lane, lanes, compact, names, onMove, moving }: Props) {
  const service = useId();
  const { guests, seats } = block;
  const style = {
    top: topOf(block.start_minute, axis) + 1,
    '--block-height': `${Math.max(MIN_HEIGHT, ((block.end_minute - block.start_minute) / 60) * HOUR) - 2}px`,
    left: `calc(4px + (100% - 6px) * ${lane / lanes})`,
    width: `calc((100% - 6px) / ${lanes} - 2px)`,
  } as CSSProperties;
  // If the block has a single booking, dragging any part of the block moves this booking. In a group, each booking is
  // dragged by its own line.
  const press = (event: PointerEvent) => {
    const line = event.target instanceof Element ? event.target.closest('[data-reference]') : null;
    const reference = line?.getAttribute('data-reference') ?? (guests.length === 1 ? guests[0]?.reference : null);
    const guest = guests.find((one) => one.reference === reference);
    if (guest?.movable && onMove && event.button === 0 && event.pointerType !== 'touch')
      onMove.byPointer(event, guest, block, column);
  };
  const classes = [styles.block, isOver(guests) && styles.over, guests.some(isMoving) && styles.moving];
  function isMoving({ reference }: Guest) {
    return reference === moving;
  }
  return (
    <li className={classes.filter(Boolean).join(' ')} style={style} onPointerDown={press}>
      <Text span fz={12} fw={600} id={service} className={compact ? styles.oneLine : undefined}>
        {block.start_time}
        {compact ? '' : `–${block.end_time}`} {block.service.name}
        {seats.capacity > 1 && ` · ${seats.taken}/${seats.capacity}`}
      </Text>
      <ul className={styles.guests} aria-labelledby={service}>
        {guests.map((guest) => (
          <GuestLine
            key={guest.reference}
            guest={guest}
            specialist={names ? block.specialist.name : null}
            onMove={onMove && (() => onMove.byKeys(guest, block, column))}
          />
        ))}
      </ul>
    </li>
  );
}

type LineProps = {
  guest: Guest;
  /** The name to show. Null if the whole column belongs to one specialist. */
  specialist: string | null;
  onMove: (() => void) | null;
};

function GuestLine({ guest, specialist, onMove }: LineProps) {
  const move = guest.movable ? onMove : null;
  return (
    <li data-reference={guest.reference} className={styles.line}>
      <Anchor
        component={Link}
        href={bookingHref(guest.reference)}
        className={styles.guest}
        fz={12}
        title={`${guest.external_reference}, ${guest.application_name}`}
        draggable={false}
        aria-keyshortcuts={move ? 'm' : undefined}
        onKeyDown={(event) => {
          const { key, altKey, ctrlKey, metaKey } = event;
          if (!move || key.toLowerCase() !== 'm' || altKey || ctrlKey || metaKey) return;
          event.preventDefault();
          move();
        }}
      >
        {guest.external_reference}
        {guest.status !== 'confirmed' && ` · ${STATUS_NAMES[guest.status]}`}
      </Anchor>
      {specialist !== null && (
        <Text span fz={11} className={styles.person} title={specialist}>
          {specialist}
        </Text>
      )}
      {move && (
        // The M key does the same, so the button is not a tab stop.
        <ActionIcon
          variant="subtle"
          size={24}
          tabIndex={-1}
          className={styles.handle}
          aria-label={`Move ${guest.external_reference}`}
          onClick={move}
        >
          <IconArrowsMove size={14} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
