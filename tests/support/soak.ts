/** Whether to run the long versions of the slow tests. `npm run test:soak` sets this. */
const SOAK = process.env.SOAK === '1';
/** The fraction of the long repeats to run (see `repeats`). A trial run uses a fraction below 1. */
const SHARE = Number(process.env.SOAK_SHARE ?? 1);

/**
 * Returns how often a test repeats its work: `short` times in `npm test`, `long` times in `npm run test:soak`. With
 * `SOAK_SHARE=0.1`, `npm run test:soak` repeats the work a tenth of `long` times, but at least `short` times.
 */
export function repeats(short: number, long: number): number {
  return SOAK ? Math.max(short, Math.ceil(long * SHARE)) : short;
}
