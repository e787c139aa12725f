'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../_components/trpc';
import type { MoveSlot } from '../types';
import type { Block, BlockBooking, Column } from './columns';
import { type Direction, isSame, type Place, type Stops, snap, step, stopsOf } from './place';

/** The booking that is being moved, and its place before the move. */
export type Moved = { booking: BlockBooking; block: Block; origin: Place };

type Phase = 'placing' | 'confirming' | 'closing';

/**
 * A move that is not confirmed yet. In the phase `placing`, the booking follows the pointer or the keys. In
 * `confirming`, a dialog shows where the booking was dropped. In `closing`, this dialog fades out.
 */
type Move = Moved & { by: 'pointer' | 'keys'; at: Place; phase: Phase };

/**
 * Where the booking would go if it were dropped now: to a slot, back to its origin, or nowhere (`none`). `loading`
 * means that the slots are not known yet.
 */
export type Landing =
  | { kind: 'slot'; place: Place; slot: MoveSlot }
  | { kind: 'origin' | 'none' | 'loading'; place: Place };

/** The calendar's columns, with the data that `useMove` needs. */
export type MoveGrid = {
  columns: readonly Column[];
  /** Returns the minute on the time axis at which a slot starts. */
  minuteOf: (slot: MoveSlot) => number;
};

export type MoveState = ReturnType<typeof useMove>;

/** Returns the state of a move in the calendar, and the functions that change this state. */
export function useMove({ columns, minuteOf }: MoveGrid) {
  const [move, setMove] = useState<Move | null>(null);
  const [notice, setNotice] = useState('');
  const { slots, specialists, failure } = useSlots(move?.booking.reference ?? null, columns);
  const stops = move && slots ? stopsOf(slots, columns, move.block.specialist.id, minuteOf) : null;
  const change = (patch: Partial<Move>) => setMove((before) => before && { ...before, ...patch });
  // The update depends on the previous state, because the pointer can move twice before the next render.
  const placeAt = (at: Place) =>
    setMove((before) => (before?.phase === 'placing' && !isSame(before.at, at) ? { ...before, at } : before));
  const landingOf = (one: Move) => findLanding(one, stops, failure !== null);
  const landing: Landing | null = move && landingOf(move);
  return {
    move,
    landing,
    stops,
    /** The specialists who offer the booking's service at the booking's location. */
    specialists,
    /** The error if the slots could not be loaded; otherwise null. */
    failure,
    /** The reason why the last key press did not move the booking. Empty if the booking moved. */
    notice,
    start: (moved: Moved, by: Move['by']) => {
      setNotice('');
      setMove({ ...moved, by, at: moved.origin, phase: 'placing' });
    },
    placeAt,
    step: (direction: Direction) => {
      if (!move || !stops) return;
      const order = columns.map(({ key }) => key);
      const next = step(stops, order, move.at, move.origin, direction);
      setNotice(next ? '' : NOTICES[direction]);
      if (next) placeAt(next);
    },
    /** Opens the dialog that confirms the move, or ends the move if the booking is back at its origin. */
    drop: () =>
      setMove((before) =>
        before && landingOf(before).kind !== 'origin' ? { ...before, phase: 'confirming' as const } : null,
      ),
    cancel: () => setMove(null),
    close: () => change({ phase: 'closing' }),
  };
}

const NOTICES: Record<Direction, string> = {
  earlier: 'No earlier available time in this column.',
  later: 'No later available time in this column.',
  left: 'No available time in the columns to the left.',
  right: 'No available time in the columns to the right.',
};

function findLanding({ at, by, origin }: Move, stops: Stops | null, isFailed: boolean): Landing {
  if (isSame(at, origin)) return { kind: 'origin', place: origin };
  if (!stops) return { kind: isFailed ? 'none' : 'loading', place: at };
  const found = by === 'keys' ? at : snap(stops, at, origin);
  if (found && isSame(found, origin)) return { kind: 'origin', place: origin };
  const stop = found && stops.get(found.column)?.find((one) => isSame(one, found));
  return stop ? { kind: 'slot', place: stop, slot: stop.slot } : { kind: 'none', place: at };
}

/** Returns the slots on the columns' dates to which a booking can be moved. `slots` is null until they are loaded. */
function useSlots(reference: string | null, columns: readonly Column[]) {
  const trpc = useTRPC();
  const dates = new Set(columns.map(({ date }) => date));
  const input = { reference: reference ?? '', date: columns[0]?.date ?? '', days: dates.size };
  const found = useQuery(trpc.bookings.slots.queryOptions(input, { enabled: reference !== null }));
  return {
    slots: reference === null ? null : (found.data?.slots ?? null),
    specialists: found.data?.specialists ?? [],
    failure: reference === null ? null : found.error,
  };
}
