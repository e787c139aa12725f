import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { formatShare } from '../../requests/_components/format';
import type { Traffic } from './types';

/** The periods of the Overview. */
export type Period = '24h' | '7d';

type Totals = NonNullable<Traffic['totals']>;

type Texts = Translator<'overview.changes'>;

const PERCENT = { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' } as const;
const POINTS = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;

/**
 * If a count has grown by at least this factor, the text states the earlier count instead of a percentage, because such
 * a high percentage would be hard to read.
 */
const MAX_FACTOR = 10;

/** Formats a number with the minus sign U+2212, which screen readers announce. */
const signed = (format: Formats, options: Intl.NumberFormatOptions, value: number) =>
  format.number(options).format(value).replace('-', '−');

/** Describes the change in a count, such as `+12% vs. previous 24 hours`. `before` is null if the earlier count is unknown. */
export function countChange(
  t: Texts,
  format: Formats,
  { now, before, isEstimated = false }: { now: number; before: number | null; isEstimated?: boolean },
  period: Period,
): string {
  if (before === null) return '';
  const estimated = String(isEstimated);
  if (before === 0 && now > 0) return t(`${period}.fromZero`);
  if (now === before) return t(`${period}.same`, { estimated });
  if (now >= before * MAX_FACTOR) return t(`${period}.from`, { estimated, before: format.count(before) });
  const change = (now - before) / before;
  if (Math.abs(change) < 0.005) return t(`${period}.same`, { estimated: 'true' });
  return t(`${period}.compared`, { estimated, change: signed(format, PERCENT, change) });
}

/** Describes how the number of requests has changed since the previous period. */
export function requestChange(t: Texts, format: Formats, { totals, previous }: Traffic, period: Period): string {
  if (!totals) return '';
  const isEstimated = totals.estimated || previous.totals?.estimated === true;
  const before = previous.totals?.requests ?? null;
  return countChange(t, format, { now: totals.requests, before, isEstimated }, period);
}

/** Describes the change in the error rate in percentage points, such as `+2.1 points vs. previous 24 hours`. */
export function errorChange(
  t: Texts,
  format: Formats,
  { totals, previous: { totals: before } }: Traffic,
  period: Period,
): string {
  if (!totals || !before) return '';
  if (before.requests === 0) return t(`${period}.noRequests`);
  const was = errorsOf(before);
  if (totals.requests === 0) return t(`${period}.was`, { rate: formatShare(was, before.requests, format) });
  const points = 100 * (errorsOf(totals) / totals.requests - was / before.requests);
  if (Math.abs(points) < 0.05) return t(`${period}.same`, { estimated: 'false' });
  return t(`${period}.points`, { change: signed(format, POINTS, points) });
}

/** Returns the number of requests with an error. */
export function errorsOf({ client_errors, server_errors }: Totals): number {
  return client_errors + server_errors;
}
