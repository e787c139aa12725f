'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../_components/trpc';
import type { MoveSlot } from '../types';
import type { Block, BlockBooking, Column } from './columns';
import { isSame, type Place, type Stops, snap, stopsOf } from './place';

/** The booking that is being dragged, and its place before the move. */
export type Moved = { booking: BlockBooking; block: Block; origin: Place };

type Move = Moved & { at: Place };

/**
 * Where the booking would go if it were dropped now: to a slot, back to its origin, or nowhere (`none`). `loading`
 * means that the slots are not known yet.
 */
export type Landing =
  | { kind: 'slot'; place: Place; slot: MoveSlot }
  | { kind: 'origin' | 'none' | 'loading'; place: Place };

type Options = {
  columns: readonly Column[];
  minuteOf: (slot: MoveSlot) => number;
  onDrop: (moved: Moved, landing: Landing) => void;
};

export type MoveState = ReturnType<typeof useMove>;

/** Returns the state of a drag in the calendar, and the functions that change this state. */
export function useMove({ columns, minuteOf, onDrop }: Options) {
  const trpc = useTRPC();
  const [move, setMove] = useState<Move | null>(null);
  const days = new Set(columns.map(({ date }) => date)).size;
  const input = { reference: move?.booking.reference ?? '', date: columns[0]?.date ?? '', days };
  const found = useQuery(trpc.bookings.slots.queryOptions(input, { enabled: move !== null }));
  const stops = move && found.data ? stopsOf(found.data.slots, columns, move.block.specialist.id, minuteOf) : null;
  const landing = move && findLanding(move, stops, found.isError);
  return {
    move,
    landing,
    stops,
    start: (moved: Moved) => setMove({ ...moved, at: moved.origin }),
    // The update depends on the previous state, because the pointer can move twice before the next render.
    placeAt: (at: Place) => setMove((before) => (before && !isSame(before.at, at) ? { ...before, at } : before)),
    /** Ends the drag. Takes the booking and its place, because `move` may not be rendered yet. */
    drop: (moved: Moved, at: Place | null) => {
      setMove(null);
      const end = at && findLanding({ ...moved, at }, stops, found.isError);
      if (end && end.kind !== 'origin') onDrop(moved, end);
    },
    cancel: () => setMove(null),
  };
}

function findLanding({ at, origin }: Move, stops: Stops | null, isFailed: boolean): Landing {
  if (isSame(at, origin)) return { kind: 'origin', place: origin };
  if (!stops) return { kind: isFailed ? 'none' : 'loading', place: at };
  const near = snap(stops, at, origin);
  if (near && isSame(near, origin)) return { kind: 'origin', place: origin };
  const stop = near && stops.get(near.column)?.find((one) => isSame(one, near));
  return stop ? { kind: 'slot', place: stop, slot: stop.slot } : { kind: 'none', place: at };
}
