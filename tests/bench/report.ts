import { type Figure, meetsThreshold, type Outcome, type Row } from './figure';

/** A figure and its outcome. */
export type Measured = { figure: Figure; outcome: Outcome };

const HEADINGS = ['figure', 'run', 'req/s', 'p50 ms', 'p95 ms', 'p99 ms'] as const;

/** Returns the printed table: one row per run, then one verdict per figure. */
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

function cellsOf({ label, rate, p50, p95, p99 }: Row): string[] {
  return [
    label,
    Math.round(rate).toLocaleString('en'),
    ...[p50, p95, p99].map((milliseconds) => (Number.isNaN(milliseconds) ? '-' : milliseconds.toFixed(2))),
  ];
}

function verdictOf({ figure, outcome }: Measured): string[] {
  const { threshold, title } = figure;
  const unit = figure.unit ? ` ${figure.unit}` : '';
  const bound = 'atLeast' in threshold ? `at least ${threshold.atLeast}${unit}` : `below ${threshold.below}${unit}`;
  const verdict = meetsThreshold(figure, outcome.value) ? 'met' : 'NOT MET';
  return [
    `${title}: ${outcome.value.toFixed(3)}${unit} (${bound}: ${verdict})`,
    ...(outcome.notes ?? []).map((note) => `  ${note}`),
  ];
}

/** Returns the values as one line of JSON, rounded to four significant digits. */
export function summary(measured: readonly Measured[]): string {
  return JSON.stringify(
    Object.fromEntries(measured.map(({ figure, outcome }) => [figure.name, Number(outcome.value.toPrecision(4))])),
  );
}
