'use client';

import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import type { Axis, Blocked, Column } from './columns';
import { HOUR } from './place';

/** The selected time of a column, in minutes on the time axis. */
export type Selection = { column: string; from: number; to: number };

/** Opens the form for a block: an existing one, a new one at a selected time, or, for null, a new one. */
export type BlockOpener = (
  target: { block: Blocked['block']; column: Column } | { selection: Selection; column: Column } | null,
) => void;

/** Opens the page that makes a booking in a column, at a minute on the time axis. */
export type BookOpener = (column: Column, minute: number) => void;

/** Selected time is rounded to a multiple of this number of minutes. */
const STEP = 15;

/**
 * Returns the time over which a mouse is being dragged, the function that starts to select it, and the function for a
 * click or a tap. Selected time is blocked; it is booked if the member may not block it, or only clicked. Escape cancels.
 * A finger that is dragged scrolls instead.
 */
export function useSelection({ from_minute, to_minute }: Axis, block: BlockOpener | null, book: BookOpener | null) {
  const [selection, setSelection] = useState<Selection | null>(null);
  const latest = useRef<Selection>(null);
  // The browser also sends a click at the end of a drag.
  const isDragged = useRef(false);
  const set = (next: Selection | null) => {
    if (next) isDragged.current = true;
    latest.current = next;
    setSelection(next);
  };
  const minuteIn = (element: Element) => {
    const { top } = element.getBoundingClientRect();
    return (y: number) => Math.min(Math.max(from_minute + ((y - top) / HOUR) * 60, from_minute), to_minute);
  };
  const startOf = (minute: number) => Math.min(Math.floor(minute / STEP) * STEP, to_minute - STEP);
  const click = ({ currentTarget, clientY }: MouseEvent, column: Column) => {
    if (!isDragged.current) book?.(column, startOf(minuteIn(currentTarget)(clientY)));
    isDragged.current = false;
  };
  const select = (press: PointerEvent, column: Column) => {
    if (press.pointerType !== 'mouse' || press.button !== 0) return;
    press.preventDefault();
    isDragged.current = false;
    const minuteAt = minuteIn(press.currentTarget);
    const start = minuteAt(press.clientY);
    const listeners = new AbortController();
    const { signal } = listeners;
    const end = (selected: Selection | null) => {
      listeners.abort();
      set(null);
      if (!selected) return;
      if (block) block({ selection: selected, column });
      else book?.(column, startOf(selected.from));
    };
    window.addEventListener(
      'pointermove',
      ({ clientY }) => {
        const now = minuteAt(clientY);
        const from = Math.floor(Math.min(start, now) / STEP) * STEP;
        const to = Math.ceil(Math.max(start, now) / STEP) * STEP;
        if (Math.abs(now - start) >= STEP / 3) set({ column: column.key, from, to });
      },
      { signal },
    );
    window.addEventListener('pointerup', () => end(latest.current), { signal });
    window.addEventListener('pointercancel', () => end(null), { signal });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(null), { signal });
  };
  return { selection, select, click };
}
