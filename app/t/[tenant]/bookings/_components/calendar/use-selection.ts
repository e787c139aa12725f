'use client';

import { type PointerEvent, useRef, useState } from 'react';
import type { Axis, Blocked, Column } from './columns';
import { HOUR } from './place';

/** The selected time of a column, in minutes on the time axis. */
export type Selection = { column: string; from: number; to: number };

/** Opens the form for a block: an existing one, a new one at a selected time, or, for null, a new one. */
export type BlockOpener = (
  target: { block: Blocked['block']; column: Column } | { selection: Selection; column: Column } | null,
) => void;

/** While time is selected, it is rounded to a multiple of this number of minutes. */
const STEP = 15;

/**
 * Returns the time over which a mouse is being dragged, and the function that starts to select it. Escape cancels. A
 * finger scrolls instead.
 */
export function useSelection({ from_minute, to_minute }: Axis, open: BlockOpener | null) {
  const [selection, setSelection] = useState<Selection | null>(null);
  const latest = useRef<Selection>(null);
  const set = (next: Selection | null) => {
    latest.current = next;
    setSelection(next);
  };
  const select = (press: PointerEvent, column: Column) => {
    if (press.pointerType !== 'mouse' || press.button !== 0) return;
    press.preventDefault();
    const element = press.currentTarget;
    const minuteAt = (y: number) => {
      const minute = from_minute + ((y - element.getBoundingClientRect().top) / HOUR) * 60;
      return Math.min(Math.max(minute, from_minute), to_minute);
    };
    const start = minuteAt(press.clientY);
    const listeners = new AbortController();
    const { signal } = listeners;
    const end = (selected: Selection | null) => {
      listeners.abort();
      set(null);
      if (selected) open?.({ selection: selected, column });
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
  return { selection, select };
}
