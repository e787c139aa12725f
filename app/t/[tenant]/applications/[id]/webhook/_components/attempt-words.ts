import type { AttemptBar } from '../../../../_components/api-types';
import { formatCount, plural } from '../../../../_components/format';
import { spanOf } from '../../../../requests/_components/chart-bars';

const DAY_SECONDS = 86_400;

/** Formats the period of a bar in the reader's time zone: an hour as a range, a day as a date. */
export function spanOfBar({ from, to }: Pick<AttemptBar, 'from' | 'to'>, stepSeconds: number): string {
  return spanOf({ from, to: stepSeconds >= DAY_SECONDS ? from : to }, stepSeconds);
}

type Counts = Pick<AttemptBar, 'succeeded' | 'failed'>;

/** Returns the number of attempts in a bar. */
export function totalOf({ succeeded, failed }: Counts): number {
  return succeeded + failed;
}

/** Returns the numbers of attempts in `bars` as text, such as `1,204 attempts, 12 failed`. */
export function attemptsSentence(bars: readonly Counts[]): string {
  const total = bars.reduce((sum, bar) => sum + totalOf(bar), 0);
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  const text = plural(total, 'attempt');
  return failed === 0 ? text : `${text}, ${formatCount(failed)} failed`;
}
