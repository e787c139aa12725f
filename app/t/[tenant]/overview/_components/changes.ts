import { formatCount } from '../../_components/format';
import { formatShare } from '../../requests/_components/format';
import type { Traffic } from './types';

/** The periods of the Overview. */
export type Period = '24h' | '7d';

type Totals = NonNullable<Traffic['totals']>;

const BEFORE: Record<Period, string> = { '24h': 'previous 24 hours', '7d': 'previous 7 days' };

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
const POINTS = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/**
 * If a count has grown by at least this factor, the text states the earlier count instead of a percentage, because such
 * a high percentage would be hard to read.
 */
const MAX_FACTOR = 10;

/** Formats a number with the minus sign U+2212, which screen readers announce. */
const signed = (format: Intl.NumberFormat, value: number) => format.format(value).replace('-', '−');

/**
 * Describes the change in a count, such as `+12% vs. previous 24 hours`. `before` is null if the earlier count is
 * unknown.
 */
export function countChange(now: number, before: number | null, period: Period, estimated = false): string {
  if (before === null) return '';
  const about = estimated ? 'about ' : '';
  if (before === 0 && now > 0) return `up from 0 in the ${BEFORE[period]}`;
  if (now === before) return `${about}the same as in the ${BEFORE[period]}`;
  if (now >= before * MAX_FACTOR) return `up from ${about}${formatCount(before)} in the ${BEFORE[period]}`;
  const change = (now - before) / before;
  if (Math.abs(change) < 0.005) return `about the same as in the ${BEFORE[period]}`;
  return `${about}${signed(PERCENT, change)} vs. ${BEFORE[period]}`;
}

/** Describes how the number of requests has changed since the previous period. */
export function requestChange({ totals, previous }: Traffic, period: Period): string {
  if (!totals) return '';
  const estimated = totals.estimated || previous.totals?.estimated === true;
  return countChange(totals.requests, previous.totals?.requests ?? null, period, estimated);
}

/** Describes the change in the error rate in percentage points, such as `+2.1 points vs. previous 24 hours`. */
export function errorChange({ totals, previous: { totals: before } }: Traffic, period: Period): string {
  if (!totals || !before) return '';
  if (before.requests === 0) return `no requests in the ${BEFORE[period]}`;
  const was = errorsOf(before);
  if (totals.requests === 0) return `${formatShare(was, before.requests)} in the ${BEFORE[period]}`;
  const points = 100 * (errorsOf(totals) / totals.requests - was / before.requests);
  if (Math.abs(points) < 0.05) return `the same as in the ${BEFORE[period]}`;
  return `${signed(POINTS, points)} points vs. ${BEFORE[period]}`;
}

/** Returns the number of requests with an error. */
export function errorsOf({ client_errors, server_errors }: Totals): number {
  return client_errors + server_errors;
}
