/**
 * Whether this is a trial run, with fewer rounds and less data. The option is read directly from the command line,
 * because the modules of the figures use it when they are loaded.
 */
export const QUICK = process.argv.includes('--quick');

/** Returns the size of a measurement: the first number, or the second one in a trial run. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}
