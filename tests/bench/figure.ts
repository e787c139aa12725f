import type { Stage } from './stage';

/** A row of the printed table. Latencies are in milliseconds; NaN means not measured. */
export type Row = {
  label: string;
  /** Requests per second. */
  rate: number;
  p50: number;
  p99: number;
};

/** The result of a measurement: the value of the figure, and rows for the printed table. */
export type Outcome = {
  value: number;
  rows: Row[];
  /** Additional lines, printed below the line with the figure's result. */
  notes?: string[];
};

/** A value that the benchmark measures, and its threshold. `figures/index.ts` describes how to add a figure. */
export type Figure = {
  /**
   * The name of the figure. It is the argument of `npm run bench -- <name>`, and the figure's key in the printed JSON.
   */
  name: string;
  title: string;
  threshold: { atLeast: number } | { below: number };
  unit?: 'ms' | 'MiB';
  /** Measures the figure. @throws Error if the measurement fails. */
  run: (stage: Stage) => Promise<Outcome>;
};

export function meetsThreshold({ threshold }: Figure, value: number): boolean {
  return 'atLeast' in threshold ? value >= threshold.atLeast : value < threshold.below;
}
