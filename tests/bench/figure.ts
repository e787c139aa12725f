import type { Stage } from './stage';

/** One line of the table: what was asked, how often a second, and how long an answer took in milliseconds (NaN: not measured). */
export type Row = { what: string; rate: number; p50: number; p95: number; p99: number };

/** What came of a figure: its value and the runs behind it. */
export type Outcome = { value: number; rows: Row[] /** What else a reader should know. */; notes?: string[] };

/** One thing that is measured: a file of its own in `figures/`, listed in `figures/index.ts`. */
export type Figure = {
  /** As in `npm run bench -- <name>` and in the JSON of the last line. */
  name: string;
  title: string;
  /** What quality demands of the value. */
  floor: { atLeast: number } | { below: number };
  unit?: 'ms';
  /** Measures. @throws Error when it could not. */
  run: (stage: Stage) => Promise<Outcome>;
};

/** Tells whether a value is what quality demands. */
export function holds({ floor }: Figure, value: number): boolean {
  return 'atLeast' in floor ? value >= floor.atLeast : value < floor.below;
}
