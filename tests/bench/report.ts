import { type Figure, meetsThreshold, type Outcome, type Row } from './figure';
import { QUICK } from './size';

/** A figure and its outcome. The outcome's value is NaN if the measurement failed. */
export type Measured = { figure: Figure; outcome: Outcome };

/** Returns the outcome of a measurement that failed. Its note states the reason. */
export function notMeasured(error: unknown): Outcome {
  return { value: Number.NaN, rows: [], notes: [error instanceof Error ? error.message : String(error)] };
}

const HEADINGS = ['figure', 'run', 'req/s', 'p50 ms', 'p99 ms'] as const;

/** Returns the report as text: a table with all measured rows, then the verdict and the notes of each figure. */
export function table(measured: readonly Measured[]): string {
  const lines = [
    [...HEADINGS],
    ...measured.flatMap(({ figure, outcome }) => outcome.rows.map((row) => [figure.name, ...cellsOf(row)])),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const firstNumber = 2;
  const aligned = lines.map((line) =>
    line
      .map((cell, column) =>
        column < firstNumber ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  return [...aligned, '', ...measured.flatMap(verdictOf)].join('\n');
}

function cellsOf({ label, rate, p50, p99 }: Row): string[] {
  return [
    label,
    Math.round(rate).toLocaleString('en'),
    ...[p50, p99].map((milliseconds) => (Number.isNaN(milliseconds) ? '-' : milliseconds.toFixed(2))),
  ];
}

function verdictOf({ figure, outcome }: Measured): string[] {
  const { threshold, title } = figure;
  const unit = figure.unit ? ` ${figure.unit}` : '';
  const bound = 'atLeast' in threshold ? `at least ${threshold.atLeast}${unit}` : `below ${threshold.below}${unit}`;
  const verdict = `${meetsThreshold(figure, outcome.value) ? 'met' : 'NOT MET'}${QUICK ? ' by this trial run' : ''}`;
  const result = Number.isNaN(outcome.value)
    ? 'not measured'
    : `${outcome.value.toFixed(3)}${unit} (${bound}: ${verdict})`;
  return [`${title}: ${result}`, ...(outcome.notes ?? []).map((note) => `  ${note}`)];
}

/** Returns the values as one line of JSON, rounded to four significant digits. NaN becomes null. */
export function summary(measured: readonly Measured[]): string {
  return JSON.stringify(
    Object.fromEntries(measured.map(({ figure, outcome }) => [figure.name, Number(outcome.value.toPrecision(4))])),
  );
}
