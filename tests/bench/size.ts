/** Whether this is a trial run: fewer rounds and less data. Read from the command line, before the figures are loaded. */
export const QUICK = process.argv.includes('--quick');

/** Returns the size of a measurement: the first number, or the second one in a trial run. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}
