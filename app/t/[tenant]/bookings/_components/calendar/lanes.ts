import { type Block, countBookings } from './columns';
import { HOUR, MIN_HEIGHT } from './place';

/**
 * A block and its position in the column. `lanes` is the number of equally wide lanes side by side, and `lane` is the
 * index of the block's lane. If `isLimited` is set, some overlapping blocks are hidden, and a link to them takes
 * `MORE_WIDTH` pixels to the right of the lanes.
 */
export type Placed = { block: Block; lane: number; lanes: number; isLimited: boolean };

/**
 * Overlapping blocks that are hidden because their column is too narrow, and the number of bookings in these blocks.
 * `isOutside` is set if one of these bookings is outside the catalog (see `OutsideReason`).
 */
export type More = { start_minute: number; end_minute: number; count: number; isOutside?: true };

/** The blocks of a column that are shown, and those that are hidden. */
export type Layout = { shown: readonly Placed[]; more: readonly More[] };

/** A block takes at least this number of minutes in its lane, because shorter blocks are drawn with the height `MIN_HEIGHT`. */
const MIN_MINUTES = Math.ceil((MIN_HEIGHT / HOUR) * 60);

/** Minimum width in pixels of a lane in the week schedule. */
const MIN_LANE = 48;
/** Width in pixels of the link to the blocks that are hidden in a narrow column. */
export const MORE_WIDTH = 28;

/** Assigns blocks to lanes so that overlapping blocks are side by side. All other blocks take the whole width. */
export function lanesOf(blocks: readonly Block[]): Placed[] {
  const sorted = [...blocks].sort((a, b) => a.start_minute - b.start_minute || a.end_minute - b.end_minute);
  const placed: Placed[] = [];
  // `group` contains blocks that overlap directly, or indirectly through other blocks. For each lane of the group,
  // `ends` contains the minute from which the lane is free.
  let group: Placed[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const one of group) one.lanes = ends.length;
    [group, ends] = [[], []];
  };
  for (const block of sorted) {
    if (ends.every((end) => end <= block.start_minute)) close();
    const free = ends.findIndex((end) => end <= block.start_minute);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = Math.max(block.end_minute, block.start_minute + MIN_MINUTES);
    const one = { block, lane, lanes: 1, isLimited: false };
    group.push(one);
    placed.push(one);
  }
  close();
  return placed;
}

/** Hides the blocks whose lanes do not fit side by side into a column of `width` pixels. */
export function limitLanes(placed: readonly Placed[], width: number): Layout {
  const fitting = (pixels: number) => Math.max(1, Math.floor(pixels / MIN_LANE));
  const [all, limited] = [fitting(width), fitting(width - MORE_WIDTH)];
  const shown: Placed[] = [];
  const more: More[] = [];
  for (const one of placed) {
    const { block, lane, lanes } = one;
    if (lanes <= all) shown.push(one);
    else if (lane < limited) shown.push({ ...one, lanes: limited, isLimited: true });
    else addHidden(more, block);
  }
  return { shown, more };
}

function addHidden(more: More[], block: Block): void {
  const { start_minute, end_minute, bookings } = block;
  const mark = bookings.some(({ outside }) => outside !== null) ? { isOutside: true as const } : {};
  const count = countBookings({ blocks: [block] });
  const last = more.at(-1);
  if (!last || last.end_minute <= start_minute) {
    more.push({ start_minute, end_minute, count, ...mark });
    return;
  }
  Object.assign(last, mark);
  last.count += count;
  last.end_minute = Math.max(last.end_minute, end_minute);
}
