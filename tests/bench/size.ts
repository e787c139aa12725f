/**
 * Whether this is a trial run (`--quick`). It is read from the command line, because modules in figures/ use it
 * while they load.
 */
export const QUICK = process.argv.includes('--quick');

/** Returns the size of a measurement: `full`, or `quick` in a trial run. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}
