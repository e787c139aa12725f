/** Returns the `share` quantile (0..1) of the values in `ascending`, or 0 if there are no values. */
export function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? 0;
}

/** Returns the median; for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const ascending = [...values].sort((a, b) => a - b);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? 0;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? 0) + upper) / 2;
}
