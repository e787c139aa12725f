'use client';

import { ActionIcon, Button, Group, Paper, Text } from '@mantine/core';
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import styles from './calendar.module.css';
import { type Column, whenText } from './columns';
import { focusBooking } from './move-dialog';
import type { Direction } from './place';
import { nameOf, refusalText } from './refusal';
import type { Landing, Moved, MoveState } from './use-move';

const KEYS: Record<string, Direction> = {
  ArrowUp: 'earlier',
  ArrowDown: 'later',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

const ICONS = { earlier: IconChevronUp, later: IconChevronDown, left: IconChevronLeft, right: IconChevronRight };

type Props = {
  state: MoveState;
  columns: readonly Column[];
  location: string;
  /** What each column shows, such as `specialist`. */
  columnKind: string;
};

/**
 * Moves a booking without a pointer: with the arrow keys, or with buttons. The bar takes the focus and handles the
 * keys. The booking cannot, because a narrow screen may not show its column.
 */
export function MoveBar(props: Props) {
  const { move, landing } = props.state;
  if (!move || !landing || move.by !== 'keys' || move.phase !== 'placing') return null;
  return <Bar {...props} move={move} landing={landing} />;
}

type BarProps = Props & { move: Moved; landing: Landing };

function Bar({ state, move, landing, columns, location, columnKind }: BarProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  const cancel = () => {
    state.cancel();
    focusBooking(move.booking.reference);
  };
  const drop = () => {
    state.drop();
    if (landing.kind === 'origin') focusBooking(move.booking.reference);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = KEYS[event.key];
    if (!direction && event.key !== 'Escape') return;
    event.preventDefault();
    if (direction) state.step(direction);
    else cancel();
  };
  const labels: Record<Direction, string> = {
    earlier: 'Earlier',
    later: 'Later',
    left: `Previous ${columnKind}`,
    right: `Next ${columnKind}`,
  };
  return (
    <Paper
      withBorder
      shadow="md"
      p="sm"
      className={styles.bar}
      role="group"
      aria-label="Move booking"
      onKeyDown={onKeyDown}
    >
      <div className={styles.barText}>
        <Text size="sm" role="status">
          {statusText(state, move, landing, { columns, location })}
        </Text>
        <Text size="xs" c="dimmed" visibleFrom="sm">
          Use the arrow keys to move the booking. Press Enter to review the new time, or Escape to keep the current
          time.
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        {(['left', 'earlier', 'later', 'right'] as const).map((direction) => {
          const Icon = ICONS[direction];
          return (
            <ActionIcon
              key={direction}
              variant="default"
              size="lg"
              aria-label={labels[direction]}
              onClick={() => state.step(direction)}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          );
        })}
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button ref={first} onClick={drop}>
          Continue
        </Button>
      </Group>
    </Paper>
  );
}

function statusText(
  { notice, failure, stops }: MoveState,
  { booking, block, origin }: Moved,
  landing: Landing,
  { columns, location }: Pick<Props, 'columns' | 'location'>,
): string {
  const name = booking.external_reference;
  const column = columns.find(({ key }) => key === landing.place.column);
  if (failure && column) {
    const reason = failure.data?.reason;
    const text = reason ? refusalText(reason, { column, block, minute: origin.minute, location }) : failure.message;
    return `${name} cannot be moved. ${text}`;
  }
  if (!stops) return 'Loading available times…';
  if (landing.kind !== 'slot' || !column) return `${name} is at its current time. ${notice}`;
  const { date, start_time, end_time } = landing.slot;
  return `${name} to ${whenText(date, start_time, end_time, nameOf(column, block))}. ${notice}`;
}
