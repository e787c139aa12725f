/**
 * Whether this is a trial run (`--quick`), with fewer rounds and less data. Read directly from the command line,
 * because the modules in figures/ use this constant while they are being loaded.
 */
export const QUICK = process.argv.includes('--quick');

/** Returns the size of a measurement: `full`, or `quick` in a trial run. */
export function sized(full: number, quick: number): number {
  return QUICK ? quick : full;
}
