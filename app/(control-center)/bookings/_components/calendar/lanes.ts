import type { Block } from './columns';

/** A block and its position in the column: lane number `lane`, counted from 0, of `lanes` equally wide lanes. */
export type Placed = { block: Block; lane: number; lanes: number };

/**
 * Minimum number of minutes that a block takes in its lane, because short blocks are drawn taller than their duration.
 */
const MIN_MINUTES = 25;

/** Assigns blocks to lanes so that overlapping blocks are side by side. All other blocks take the whole width. */
export function lanesOf(blocks: readonly Block[]): Placed[] {
  const sorted = [...blocks].sort((a, b) => a.start_minute - b.start_minute || a.end_minute - b.end_minute);
  const placed: Placed[] = [];
  // A group is a run of blocks that overlap directly or through other blocks. `ends` contains the end of each lane in
  // the group.
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
