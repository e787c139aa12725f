import type { Column } from './columns';

/** Number of minutes before the current time that are visible when the calendar opens. */
const BEFORE_NOW = 60;

type Shown = Pick<Column, 'opening' | 'blocks'>;

/**
 * Returns the minute to which the calendar scrolls when it opens, or null if the location is closed and there are no
 * bookings. If the columns do not show today, this is the start of the first opening hours or booking. If they show
 * today, it is one hour before now, or one hour before the end of the last opening hours or booking if that end has
 * passed. It is never before the start of the first opening hours or booking.
 * @param now The current time on the time axis; null if the columns do not show today.
 */
export function startOf(columns: readonly Shown[], now: number | null): number | null {
  const spans = columns.flatMap(({ opening, blocks }) => [...opening, ...blocks]);
  if (spans.length === 0) return null;
  const first = Math.min(...spans.map(({ start_minute }) => start_minute));
  if (now === null) return first;
  const last = Math.max(...spans.map(({ end_minute }) => end_minute));
  return Math.max(first, Math.min(now, last) - BEFORE_NOW);
}
