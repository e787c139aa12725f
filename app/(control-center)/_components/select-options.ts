/** One option of a select. */
export type Option = { value: string; label: string };

/** Returns the options. Adds the current value if it is missing, for example because it comes from an old link. */
export function withCurrent(options: readonly Option[], current: string | null, label = current ?? ''): Option[] {
  if (current === null || options.some(({ value }) => value === current)) return [...options];
  return [...options, { value: current, label }];
}
