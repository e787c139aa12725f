/** One option of a select. */
export type Option = { value: string; label: string };

/** Returns the options with the current value added when it is not among them, as in an old link. */
export function withCurrent(options: readonly Option[], current: string | null, label = current ?? ''): Option[] {
  if (current === null || options.some(({ value }) => value === current)) return [...options];
  return [...options, { value: current, label }];
}
