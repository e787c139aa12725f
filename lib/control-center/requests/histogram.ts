import type pg from 'pg';
import { pool } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { type Period, type RequestFilter, requestConditions } from './filter';

/** Possible widths of a bar in seconds. */
const STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400];
/** Maximum number of bars. */
const MAX_BARS = 72;
/** Log entries counted per bar. The total of a busier bar is estimated from its newest entries. */
const COUNTED = 20_000;
/** Timeout of the query in milliseconds. */
const TIMEOUT = 2_000;

/** The requests in the time range of one bar. */
export type Bar = { at: Date; ok: number; client_errors: number; server_errors: number; estimated: boolean };

/** Requests over time. `bars` is null when the query timed out. */
export type Histogram = Period & { step_seconds: number; bars: Bar[] | null };

/**
 * Returns the number of requests of a filter over its period, by status class. It counts at most 20,000 entries per bar in
 * the index of the filter (request_log_tenant_id_at_status_idx or request_log_tenant_id_X_at_status_idx), so the cost is
 * bounded by 1,440,000 entries. The totals of busier bars are estimates and marked as such.
 */
export async function requestHistogram(filter: RequestFilter): Promise<Histogram> {
  const { period } = filter;
  const stepSeconds = stepOf(period);
  const begin = Math.floor(period.from.getTime() / (stepSeconds * 1000)) * stepSeconds * 1000;
  const count = Math.ceil((period.to.getTime() - begin) / (stepSeconds * 1000));
  const empty = { ...period, step_seconds: stepSeconds };
  if (count <= 0) return { ...empty, bars: [] };
  const counts = await withTimeout((client) => client.query<Counts>(histogramSql(filter, begin, stepSeconds, count)));
  if (!counts) return { ...empty, bars: null };
  const byNumber = new Map(counts.map((row) => [row.number, row]));
  const bars = Array.from({ length: count }, (_, number) =>
    barOf(new Date(begin + number * stepSeconds * 1000), stepSeconds, period, byNumber.get(number)),
  );
  return { ...empty, bars };
}

/** Returns the width of a bar in seconds: the smallest with which the period has at most 72 bars. */
function stepOf({ from, to }: Period): number {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  return STEPS.find((step) => seconds / step <= MAX_BARS) ?? 86_400;
}

/** Returns the statement of a histogram. Exported for the test of the index that PostgreSQL uses. */
export function histogramSql(filter: RequestFilter, begin: number, stepSeconds: number, count: number) {
  const { from, to } = filter.period;
  const start = Prisma.sql`${new Date(begin)}::timestamptz`;
  const step = Prisma.sql`make_interval(secs => ${stepSeconds})`;
  return Prisma.sql`
    SELECT bar.number, counted.*
    FROM generate_series(0, ${count}::int - 1) AS bar(number) CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, (count(*) FILTER (WHERE status BETWEEN 400 AND 499))::int AS client_errors,
        (count(*) FILTER (WHERE status >= 500))::int AS server_errors, min(at) AS oldest
      FROM (
        SELECT status, at FROM request_log
        WHERE ${requestConditions(filter)} AND at >= greatest(${start} + bar.number * ${step}, ${from}::timestamptz)
          AND at < least(${start} + (bar.number + 1) * ${step}, ${to}::timestamptz + interval '1 millisecond')
        ORDER BY at DESC LIMIT ${COUNTED}::int) AS newest) AS counted
    WHERE counted.total > 0`;
}

type Counts = { number: number; total: number; client_errors: number; server_errors: number; oldest: Date };

function barOf(at: Date, stepSeconds: number, period: Period, counts: Counts | undefined): Bar {
  if (!counts) return { at, ok: 0, client_errors: 0, server_errors: 0, estimated: false };
  const estimated = counts.total >= COUNTED;
  const factor = estimated ? 1 / coverage(at, stepSeconds, period, counts.oldest) : 1;
  const { total, client_errors, server_errors } = counts;
  const scaled = (number: number) => Math.round(number * factor);
  return {
    at,
    ok: scaled(total - client_errors - server_errors),
    client_errors: scaled(client_errors),
    server_errors: scaled(server_errors),
    estimated,
  };
}

/** Returns the fraction of a bar's time range that the counted entries cover. */
function coverage(at: Date, stepSeconds: number, { from, to }: Period, oldest: Date): number {
  const begin = Math.max(at.getTime(), from.getTime());
  const end = Math.min(at.getTime() + stepSeconds * 1000, to.getTime());
  const whole = Math.max(1, end - begin);
  return Math.min(1, Math.max(1, end - oldest.getTime()) / whole);
}

/** Runs a query with a timeout. Returns null when it timed out. */
async function withTimeout<Row extends pg.QueryResultRow>(
  work: (client: pg.PoolClient) => Promise<pg.QueryResult<Row>>,
): Promise<Row[] | null> {
  const client = await pool().connect();
  let broken = true;
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${TIMEOUT}`);
    const result = await work(client).catch((error: unknown) => {
      // query_canceled: the statement timed out.
      if (error instanceof Error && 'code' in error && error.code === '57014') return null;
      throw error;
    });
    await client.query('ROLLBACK');
    broken = false;
    return result?.rows ?? null;
  } finally {
    client.release(broken);
  }
}
