/** Whether to run the long versions of the slow tests (`npm run test:soak`). */
export const SOAK = process.env.SOAK === '1';
/** The number by which `repeats` multiplies `long`. */
const LONG_FRACTION = Number(process.env.SOAK_SHARE ?? 1);

/**
 * Returns how many times a test repeats its work: `short` times in `npm test`, `long` times in `npm run test:soak`.
 * SOAK_SHARE reduces `long`: with `SOAK_SHARE=0.1`, the result is a tenth of `long`, but at least `short`.
 */
export function repeats(short: number, long: number): number {
  return SOAK ? Math.max(short, Math.ceil(long * LONG_FRACTION)) : short;
}
