import type { MoveSlot } from '../types';
import type { Axis, Column } from './columns';

/** Height of one hour in pixels. */
export const HOUR = 84;

/** Minimum height of a block in pixels, including the gap below it. A shorter block would be hard to click. */
export const MIN_HEIGHT = 26;

/** A place in the calendar for a booking that is being moved: a column, and the minute of its start. */
export type Place = { column: string; minute: number };

/** A stop is a slot that the server offers, with its place in the calendar. */
export type Stop = Place & { slot: MoveSlot };

/** Maps each column to its stops (see `Stop`), in chronological order. */
export type Stops = ReadonlyMap<string, readonly Stop[]>;

/** A dragged booking never snaps to a slot that is more than this number of minutes away. */
const MAX_REACH = 30;
/** A dragged booking always snaps to a slot that is at most this number of minutes away. */
const MIN_REACH = 10;

/** While a booking is dragged, its start is rounded to a multiple of this number of minutes. */
const STEP = 5;

/** Returns the distance in pixels from the top of the calendar to a minute. */
export function topOf(minute: number, { from_minute }: Pick<Axis, 'from_minute'>): number {
  return ((minute - from_minute) / 60) * HOUR;
}

type Rect = { column: string; left: number; right: number; top: number };

/**
 * Returns the place of a dragged block. If the pointer is outside all columns, the place is in the nearest column.
 * Returns null if there are no columns.
 * @param x The x coordinate of the pointer.
 * @param top The y coordinate of the block's upper edge.
 */
export function placeAt(
  x: number,
  top: number,
  rects: readonly Rect[],
  { from_minute, to_minute }: Axis,
): Place | null {
  const distance = ({ left, right }: Rect) => Math.max(left - x, x - right, 0);
  const [first, ...others] = rects;
  if (!first) return null;
  const rect = others.reduce((nearest, one) => (distance(one) < distance(nearest) ? one : nearest), first);
  const minute = from_minute + ((top - rect.top) / HOUR) * 60;
  const rounded = Math.round(minute / STEP) * STEP;
  return { column: rect.column, minute: Math.min(Math.max(rounded, from_minute), to_minute - STEP) };
}

/**
 * Returns the stops in each column: the places to which the booking can be moved.
 * @param keeps The id of the booking's current specialist. A move to a column that shows all specialists keeps this
 *   specialist.
 */
export function stopsOf(
  slots: readonly MoveSlot[],
  columns: readonly Pick<Column, 'key' | 'date' | 'specialist'>[],
  keeps: string,
  minuteOf: (slot: MoveSlot) => number,
): Stops {
  return new Map(
    columns.map(({ key, date, specialist }) => {
      const id = specialist?.id ?? keeps;
      const offered = slots.filter((slot) => slot.date === date && slot.specialist_ids.includes(id));
      return [key, offered.map((slot) => ({ column: key, minute: minuteOf(slot), slot }))];
    }),
  );
}

/**
 * Returns how near, in minutes, a dragged booking must be to a `Stop` to snap to it. This is half the shortest time
 * between two stops of a column, but at least `MIN_REACH` and at most `MAX_REACH`.
 */
export function reachOf(stops: Stops): number {
  const gaps = [...stops.values()].flatMap((column) =>
    column.slice(1).map(({ minute }, index) => minute - (column[index]?.minute ?? minute)),
  );
  return Math.min(MAX_REACH, Math.max(MIN_REACH, Math.min(...gaps) / 2));
}

/**
 * Returns the place whose time is nearest to `minute` and at most `reach` minutes away; null if there is none. If two
 * places are equally near, returns the first.
 */
export function nearest<P extends Place>(
  places: readonly P[],
  minute: number,
  reach = Number.POSITIVE_INFINITY,
): P | null {
  const distance = (place: P) => Math.abs(place.minute - minute);
  return places.reduce<P | null>((best, place) => {
    if (distance(place) > reach) return best;
    return best === null || distance(place) < distance(best) ? place : best;
  }, null);
}

function placesIn(column: string, stops: Stops, origin: Place): Place[] {
  const places: Place[] = [...(stops.get(column) ?? [])];
  return column === origin.column && !places.some((place) => isSame(place, origin)) ? [...places, origin] : places;
}

/** Returns whether two places are the same. */
export function isSame(a: Place, b: Place): boolean {
  return a.column === b.column && a.minute === b.minute;
}

/**
 * Returns the stop (an offered slot, see `Stop`) that is nearest to `place` in the same column. The origin counts as a
 * stop. Returns null if no stop is near enough.
 * @param origin The booking's place before the move.
 */
export function snap(stops: Stops, place: Place, origin: Place): Place | null {
  return nearest(placesIn(place.column, stops, origin), place.minute, reachOf(stops));
}
