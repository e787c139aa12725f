/** One option of a select. */
export type Option = { value: string; label: string };

/**
 * Returns `options`, with an additional option for the value `current` if no option has this value. For example, an old
 * link may contain a value that no longer exists.
 */
export function withCurrent(options: readonly Option[], current: string | null, label = current ?? ''): Option[] {
  if (current === null || options.some(({ value }) => value === current)) return [...options];
  return [...options, { value: current, label }];
}
