/** Whole minutes [from, to). */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Merges intervals that overlap or touch, and drops empty ones. The result is sorted and disjoint. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  let sorted = intervals;
  for (let i = 1; i < intervals.length; i++) {
    // When clocks go forward, a start in the skipped hour moves to a later time, possibly past the next interval's.
    if ((intervals[i]?.from ?? 0) < (intervals[i - 1]?.from ?? 0)) {
      sorted = [...intervals].sort((a, b) => a.from - b.from);
      break;
    }
  }
  const merged: Interval[] = [];
  let current: Interval | null = null;
  for (const next of sorted) {
    if (next.to <= next.from) continue;
    if (current === null || next.from > current.to) {
      if (current !== null) merged.push(current);
      current = next;
    } else if (next.to > current.to) {
      current = { from: current.from, to: next.to };
    }
  }
  if (current !== null) merged.push(current);
  return merged;
}

/** Returns the intersection. The intervals of each list, and of the result, are sorted and disjoint. */
export function intersectIntervals(left: readonly Interval[], right: readonly Interval[]): Interval[] {
  const common: Interval[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const a = left[i];
    const b = right[j];
    if (a === undefined || b === undefined) break;
    const from = Math.max(a.from, b.from);
    const to = Math.min(a.to, b.to);
    if (from < to) common.push({ from, to });
    if (a.to < b.to) i++;
    else j++;
  }
  return common;
}

/** Returns `whole` without `removed`. The intervals of each list, and of the result, are sorted and disjoint. */
export function subtractIntervals(whole: readonly Interval[], removed: readonly Interval[]): readonly Interval[] {
  if (removed.length === 0) return whole;
  const rest: Interval[] = [];
  let next = 0;
  for (const { from, to } of whole) {
    while ((removed[next]?.to ?? to) < from) next++;
    let start = from;
    for (let i = next; i < removed.length; i++) {
      const hole = removed[i];
      if (hole === undefined || hole.from >= to) break;
      if (hole.from > start) rest.push({ from: start, to: hole.from });
      start = hole.to;
    }
    if (start < to) rest.push({ from: start, to });
  }
  return rest;
}

/**
 * Returns a function that tells whether one of the intervals, which are sorted and disjoint, has a minute. The minutes that
 * it is asked for must not decrease.
 */
export function memberOf(intervals: readonly Interval[]): (minute: number) => boolean {
  let next = 0;
  return (minute) => {
    while ((intervals[next]?.to ?? Infinity) <= minute) next++;
    return (intervals[next]?.from ?? Infinity) <= minute;
  };
}
