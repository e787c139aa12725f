import { type Figure, holds, type Outcome, type Row } from './figure';

/** A figure that was measured. */
export type Measured = { figure: Figure; outcome: Outcome };

const HEADINGS = ['figure', 'measured', 'req/s', 'p50 ms', 'p95 ms', 'p99 ms'] as const;

/** Returns the table of what was measured, for people. */
export function table(measured: readonly Measured[]): string {
  const lines = [
    [...HEADINGS],
    ...measured.flatMap(({ figure, outcome }) => outcome.rows.map((row) => [figure.name, ...cellsOf(row)])),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const numbersFrom = 2;
  const drawn = lines.map((line) =>
    line
      .map((cell, column) =>
        column < numbersFrom ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  return [...drawn, '', ...measured.flatMap(verdict)].join('\n');
}

function cellsOf({ what, rate, p50, p95, p99 }: Row): string[] {
  return [
    what,
    Math.round(rate).toLocaleString('en'),
    ...[p50, p95, p99].map((milliseconds) => (Number.isNaN(milliseconds) ? '-' : milliseconds.toFixed(2))),
  ];
}

function verdict({ figure, outcome }: Measured): string[] {
  const { floor, title } = figure;
  const unit = figure.unit ? ` ${figure.unit}` : '';
  const wanted = 'atLeast' in floor ? `at least ${floor.atLeast}${unit}` : `below ${floor.below}${unit}`;
  const said = holds(figure, outcome.value) ? 'holds' : 'DOES NOT HOLD';
  return [
    `${title}: ${outcome.value.toFixed(3)}${unit} (${wanted}: ${said})`,
    ...(outcome.notes ?? []).map((note) => `  ${note}`),
  ];
}

/** Returns the one line for programs: figure → value, to four significant digits. */
export function summary(measured: readonly Measured[]): string {
  return JSON.stringify(
    Object.fromEntries(measured.map(({ figure, outcome }) => [figure.name, Number(outcome.value.toPrecision(4))])),
  );
}
