import type pg from 'pg';
import { countedHours, countedUntil } from '@/lib/activity/request-log/counts';
import { bind, param, sql, statement } from '@/lib/platform/sql';
import { boundedRead } from '../bounded-read';
import { countConditions, type Period, type RequestFilter, requestConditions, requestValues } from './filter';

/** Seconds. */
const STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400];
const MAX_BARS = 72;
/** Log entries per bar. Beyond, the rest is estimated. */
const COUNTED = 20_000;
const TIMEOUT_MS = 2_000;

export type Bar = { at: Date; ok: number; client_errors: number; server_errors: number; estimated: boolean };

/** `bars` is null if a query timed out. */
export type Histogram = Period & { step_seconds: number; bars: Bar[] | null };

/**
 * Returns the number of requests per bar (at least `minStep` seconds) and status class. Bars of at least one hour use
 * hourly counts where these exist (architecture 4). Everything else is counted in the log, with the index of the
 * filtered column.
 */
export async function requestHistogram(filter: RequestFilter, minStep = 1): Promise<Histogram> {
  const { period } = filter;
  const stepSeconds = Math.max(minStep, stepOf(period));
  const begin = Math.floor(period.from.getTime() / (stepSeconds * 1000)) * stepSeconds * 1000;
  const count = Math.ceil((period.to.getTime() - begin) / (stepSeconds * 1000));
  const empty = { ...period, step_seconds: stepSeconds };
  if (count <= 0) return { ...empty, bars: [] };
  const bars = Array.from({ length: count }, (_, number) => emptyBar(new Date(begin + number * stepSeconds * 1000)));
  const { counted, rest } = await partsOf(filter, stepSeconds);
  const read = await boundedRead(TIMEOUT_MS, async (client) => {
    if (counted) {
      const { rows } = await client.query<Counts>(countedSql(filter, counted, begin, stepSeconds));
      for (const row of rows) add(bars[row.number], row, 1);
    }
    for (const part of rest) {
      const { rows } = await client.query<Counts>(histogramSql({ ...filter, period: part }, begin, stepSeconds, count));
      for (const row of rows) add(bars[row.number], row, factorOf(bars[row.number], stepSeconds, part, row));
    }
    return true;
  });
  return { ...empty, bars: read === null ? null : bars };
}

/** `counted`: hourly counts can be used. `rest`: entries must be counted. */
async function partsOf({ period, reference, reason }: RequestFilter, stepSeconds: number) {
  const { from, to } = period;
  // Hourly counts cannot be divided into shorter bars, and cannot be filtered by reference or reason.
  if (stepSeconds < 3600 || reference !== null || reason !== null) return { counted: null, rest: [period] };
  const { start, end } = countedHours(from, new Date(to.getTime() + 1), await countedUntil());
  if (start >= end) return { counted: null, rest: [period] };
  const rest = [
    { from, to: new Date(start.getTime() - 1) },
    { from: end, to },
  ];
  return { counted: { from: start, to: end }, rest: rest.filter((part) => part.from <= part.to) };
}

const FROM = param.timestamptz('from');
const TO = param.timestamptz('to');
const BEGIN = param.timestamptz('begin');

/** The end is exclusive. */
function countedSql(filter: RequestFilter, period: Period, begin: number, stepSeconds: number) {
  const select = statement<Counts>()`
    SELECT floor(extract(epoch FROM hour - ${BEGIN}) / ${stepSeconds})::int AS number,
      sum(requests)::int AS total, coalesce(sum(requests) FILTER (WHERE status BETWEEN 400 AND 499), 0)::int AS client_errors,
      coalesce(sum(requests) FILTER (WHERE status >= 500), 0)::int AS server_errors
    FROM request_counts
    WHERE ${countConditions(filter)} AND hour >= ${FROM} AND hour < ${TO}
    GROUP BY 1`;
  return bind(select, { ...requestValues({ ...filter, period }), begin: new Date(begin) });
}

/** The smallest of `STEPS` with at most 72 bars. */
function stepOf({ from, to }: Period): number {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  return STEPS.find((step) => seconds / step <= MAX_BARS) ?? 86_400;
}

/** Exported for a test of the index that PostgreSQL uses. */
export function histogramSql(
  filter: RequestFilter,
  begin: number,
  stepSeconds: number,
  count: number,
): pg.QueryConfig<unknown[]> {
  const step = sql`make_interval(secs => ${stepSeconds})`;
  const select = statement<Counts>()`
    SELECT bar.number, counted.*
    FROM generate_series(0, ${count - 1}) AS bar(number) CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, (count(*) FILTER (WHERE status BETWEEN 400 AND 499))::int AS client_errors,
        (count(*) FILTER (WHERE status >= 500))::int AS server_errors, min(at) AS oldest
      FROM (
        SELECT status, at FROM request_log
        WHERE ${requestConditions(filter)} AND at >= greatest(${BEGIN} + bar.number * ${step}, ${FROM})
          AND at < least(${BEGIN} + (bar.number + 1) * ${step}, ${TO} + interval '1 millisecond')
        ORDER BY at DESC LIMIT ${COUNTED}) AS newest) AS counted
    WHERE counted.total > 0`;
  return bind(select, { ...requestValues(filter), begin: new Date(begin) });
}

type Counts = { number: number; total: number; client_errors: number; server_errors: number; oldest: Date };

function emptyBar(at: Date): Bar {
  return { at, ok: 0, client_errors: 0, server_errors: 0, estimated: false };
}

/** A factor above 1 makes the bar an estimate. */
function add(bar: Bar | undefined, { total, client_errors, server_errors }: Counts, factor: number): void {
  if (!bar) return;
  bar.ok += Math.round((total - client_errors - server_errors) * factor);
  bar.client_errors += Math.round(client_errors * factor);
  bar.server_errors += Math.round(server_errors * factor);
  bar.estimated ||= factor > 1;
}

/** 1 if all entries were counted, more if only the newest were. */
function factorOf(bar: Bar | undefined, stepSeconds: number, part: Period, { total, oldest }: Counts): number {
  return bar && total >= COUNTED ? 1 / coverage(bar.at, stepSeconds, part, oldest) : 1;
}

/** Above 0 and at most 1: what lies after the oldest counted entry. */
function coverage(at: Date, stepSeconds: number, { from, to }: Period, oldest: Date): number {
  const begin = Math.max(at.getTime(), from.getTime());
  const end = Math.min(at.getTime() + stepSeconds * 1000, to.getTime());
  const whole = Math.max(1, end - begin);
  return Math.min(1, Math.max(1, end - oldest.getTime()) / whole);
}
