/**
 * Whether this is a trial run (`--quick`). Modules in figures/ use this constant while they load, so it cannot be
 * passed to them as an argument.
 */
export const QUICK = process.argv.includes('--quick');

/** Returns the size of a measurement: `full`, or `quick` in a trial run. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}
