/** Whether the slow tests run in their long versions, as in `npm run test:soak`. */
const SOAK = process.env.SOAK === '1';

/** Returns how often a test repeats its work: `short` times in `npm test`, `long` times in `npm run test:soak`. */
export function repeats(short: number, long: number): number {
  return SOAK ? long : short;
}
