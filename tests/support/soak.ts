/** `npm run test:soak`. */
export const SOAK = process.env.SOAK === '1';
/** Multiplies `long`. */
const LONG_FRACTION = Number(process.env.SOAK_SHARE ?? 1);

/** `short` times in `npm test`, `long` times in `npm run test:soak`. `SOAK_SHARE=0.1` runs a tenth of `long`. */
export function repeats(short: number, long: number): number {
  return SOAK ? Math.max(short, Math.ceil(long * LONG_FRACTION)) : short;
}
