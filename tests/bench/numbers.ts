/**
 * Returns the `share` quantile (0..1) of the values in `ascending`, or 0 if there are no values. The method is nearest
 * rank: the result is the smallest value that is greater than or equal to at least this share of all values. Of 100
 * values, the 0.99 quantile is the second largest.
 */
export function quantile(ascending: readonly number[], share: number): number {
  // The rounding removes floating-point errors, such as 100 * 0.07 = 7.000000000000001.
  return ascending[Math.max(0, Math.ceil(Number((ascending.length * share).toFixed(9))) - 1)] ?? 0;
}

/** Returns the median. For an even number of values, this is the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const ascending = [...values].sort((a, b) => a - b);
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? 0;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? 0) + upper) / 2;
}
