import type { Stage } from './stage';

/** One row of the printed table. Latencies are in milliseconds; NaN means not measured. */
export type Row = {
  label: string;
  /** Requests per second. */
  rate: number;
  p50: number;
  p95: number;
  p99: number;
};

/** A figure's value, and the table rows of the measured runs. */
export type Outcome = {
  value: number;
  rows: Row[];
  /** Additional lines, which are printed below the verdict. */
  notes?: string[];
};

/**
 * A figure is one value that the benchmark measures, with the bound that this value has to meet. All figures are
 * declared in `figures/index.ts`, which says how to add one.
 */
export type Figure = {
  /** The argument of `npm run bench -- <name>`, and the key in the JSON on the last output line. */
  name: string;
  title: string;
  /** The bound that the value has to meet. */
  threshold: { atLeast: number } | { below: number };
  unit?: 'ms' | 'MiB';
  /** Measures the figure. @throws Error if the measurement fails. */
  run: (stage: Stage) => Promise<Outcome>;
};

/** Returns whether a value meets the threshold of its figure. */
export function meetsThreshold({ threshold }: Figure, value: number): boolean {
  return 'atLeast' in threshold ? value >= threshold.atLeast : value < threshold.below;
}
