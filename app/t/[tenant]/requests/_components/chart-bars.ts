import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { clockTo, NEAR_DAY } from '../../_components/time/moments';
import type { Histogram } from './types';

type Totals = { ok: number; client_errors: number; server_errors: number; total: number; estimated: boolean };

/** One bar of the chart with its time range. */
export type ChartBar = Totals & { from: string; to: string };

/** Returns null if there are no bars. The first and the last time range are cut off at the ends of the period. */
export function barsOf({ bars, from, to, step_seconds }: Histogram): ChartBar[] | null {
  return (
    bars?.map(({ at, ...counts }) => {
      const end = new Date(Date.parse(at) + step_seconds * 1000).toISOString();
      const total = counts.ok + counts.client_errors + counts.server_errors;
      return { ...counts, total, from: at < from ? from : at, to: end > to ? to : end };
    }) ?? null
  );
}

/** Returns the totals of all bars. */
export function totalsOf(bars: ChartBar[]): Totals {
  const sum = { ok: 0, client_errors: 0, server_errors: 0, total: 0, estimated: false };
  for (const bar of bars) {
    sum.ok += bar.ok;
    sum.client_errors += bar.client_errors;
    sum.server_errors += bar.server_errors;
    sum.total += bar.total;
    sum.estimated ||= bar.estimated;
  }
  return sum;
}

/** Formats totals, such as `about 1,200 requests, 12 refused (4xx), 1 failed (5xx)`. */
export function sentenceOf(t: Translator<'requests.chart'>, totals: Totals): string {
  const { total, client_errors: refused, server_errors: failed, estimated } = totals;
  return t('counts', { total, refused, failed, estimated: String(estimated) });
}

/** Formats a time range in the reader's time zone. */
export function spanOf({ from, to }: Pick<ChartBar, 'from' | 'to'>, stepSeconds: number, format: Formats): string {
  const clock = clockTo(stepSeconds < 60 ? 'second' : 'minute');
  const begin = format.dateTime(stepSeconds >= 86_400 ? NEAR_DAY : { ...NEAR_DAY, ...clock });
  return begin.formatRange(new Date(from), new Date(to));
}

/** Returns the ends of all bars. The period can begin later and end earlier, because it may cover only a part of them. */
export function axisOf({ bars, from, to, step_seconds }: Histogram): { from: number; to: number } {
  const [first] = bars ?? [];
  if (!bars || !first) return { from: Date.parse(from), to: Date.parse(to) };
  const begin = Date.parse(first.at);
  return { from: begin, to: begin + bars.length * step_seconds * 1000 };
}
