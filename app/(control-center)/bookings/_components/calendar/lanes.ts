import type { Block } from './columns';

/** A block, and the part of the width of its column that it takes: the lane `lane` of `lanes`. */
export type Placed = { block: Block; lane: number; lanes: number };

/** Number of minutes that a block takes at least, because a short block is drawn higher than its time. */
const MIN_MINUTES = 25;

/** Returns blocks in lanes, so that blocks that overlap are side by side. The other blocks take the whole width. */
export function lanesOf(blocks: readonly Block[]): Placed[] {
  const sorted = [...blocks].sort((a, b) => a.start_minute - b.start_minute || a.end_minute - b.end_minute);
  const placed: Placed[] = [];
  // A group is a run of blocks that overlap directly or through others. `ends` are the ends of its lanes.
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
    const one = { block, lane, lanes: 1 };
    group.push(one);
    placed.push(one);
  }
  close();
  return placed;
}
