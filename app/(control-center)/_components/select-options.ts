/** One option of a select. */
export type Option = { value: string; label: string };

/**
 * Returns `options`. If they do not contain the value `current`, adds an option for it. For example, a value in an old
 * link may no longer exist.
 */
export function withCurrent(options: readonly Option[], current: string | null, label = current ?? ''): Option[] {
  if (current === null || options.some(({ value }) => value === current)) return [...options];
  return [...options, { value: current, label }];
}
