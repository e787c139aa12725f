import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Axis, Column } from './columns';
import { topOf } from './place';
import { startOf } from './start';

/** Number of pixels that stay visible above the minute to which the calendar scrolls. */
const MARGIN = 12;

/**
 * Scrolls the calendar to the minute that `startOf` returns. Scrolls again whenever the calendar shows other days or
 * another location.
 * @param frame The scrolling element.
 * @param label The accessible name of the calendar, which names the location.
 * @param columns The columns that determine the minute.
 */
export function useStart(
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
