import type pg from 'pg';
import { pool } from '@/lib/platform/db';
import { conditionsOf, type Period, type RequestFilter } from './filter';

/** Seconds that one bar may stand for. */
const STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400];
/** Bars at most. */
const MAX_BARS = 72;
/** Lines counted of one bar; of a busier one the newest are counted and the rest is estimated from them. */
const COUNTED = 20_000;
/** Milliseconds that the whole histogram may take. */
const PATIENCE = 2_000;

/** What happened in one bar's time. */
export type Bar = { at: Date; ok: number; client_errors: number; server_errors: number; estimated: boolean };

/** Requests over time. `bars` is null when counting them would take too long. */
export type Histogram = Period & { step_seconds: number; bars: Bar[] | null };

/**
 * Returns how many requests a filter finds over its period, by class of status. It counts in the index of the filter,
 * request_log_tenant_id_at_status_idx or one of its sisters, and at most 20,000 entries a bar: a period with any number
 * of lines costs what 1,440,000 cost. What a busier bar holds is estimated from its newest entries and says so.
 */
export async function requestHistogram(filter: RequestFilter): Promise<Histogram> {
  const { period } = filter;
  const stepSeconds = stepOf(period);
  const begin = Math.floor(period.from.getTime() / (stepSeconds * 1000)) * stepSeconds * 1000;
  const count = Math.ceil((period.to.getTime() - begin) / (stepSeconds * 1000));
  const empty = { ...period, step_seconds: stepSeconds };
  if (count <= 0) return { ...empty, bars: [] };
  const counts = await patiently((client) => client.query<Counts>(histogramSql(filter, begin, stepSeconds, count)));
  if (!counts) return { ...empty, bars: null };
  const byNumber = new Map(counts.map((row) => [row.number, row]));
  const bars = Array.from({ length: count }, (_, number) =>
    barOf(new Date(begin + number * stepSeconds * 1000), stepSeconds, period, byNumber.get(number)),
  );
  return { ...empty, bars };
}

/** Returns the seconds of a bar: the finest step that fits the period into the width of a page. */
function stepOf({ from, to }: Period): number {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  return STEPS.find((step) => seconds / step <= MAX_BARS) ?? 86_400;
}

/** Returns the statement of a histogram; exported for the test that asks PostgreSQL which index it uses. */
export function histogramSql(filter: RequestFilter, begin: number, stepSeconds: number, count: number) {
  const { sql, values } = conditionsOf(filter);
  const add = (value: unknown) => `$${values.push(value)}`;
  const first = `${add(new Date(begin))}::timestamptz`;
  const step = `make_interval(secs => ${add(stepSeconds)})`;
  const [from, to] = [add(filter.period.from), add(filter.period.to)];
  const text = `
    SELECT bar.number, counted.*
    FROM generate_series(0, ${add(count)}::int - 1) AS bar(number) CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, (count(*) FILTER (WHERE status BETWEEN 400 AND 499))::int AS client_errors,
        (count(*) FILTER (WHERE status >= 500))::int AS server_errors, min(at) AS oldest
      FROM (
        SELECT status, at FROM request_log
        WHERE ${sql} AND at >= greatest(${first} + bar.number * ${step}, ${from}::timestamptz)
          AND at < least(${first} + (bar.number + 1) * ${step}, ${to}::timestamptz + interval '1 millisecond')
        ORDER BY at DESC LIMIT ${COUNTED}) AS newest) AS counted
    WHERE counted.total > 0`;
  return { text, values };
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

/** Returns which part of a bar's time the counted lines come from. */
function coverage(at: Date, stepSeconds: number, { from, to }: Period, oldest: Date): number {
  const begin = Math.max(at.getTime(), from.getTime());
  const end = Math.min(at.getTime() + stepSeconds * 1000, to.getTime());
  const whole = Math.max(1, end - begin);
  return Math.min(1, Math.max(1, end - oldest.getTime()) / whole);
}

/** Runs a query that may be given up; null when it was. */
async function patiently<Row extends pg.QueryResultRow>(
  work: (client: pg.PoolClient) => Promise<pg.QueryResult<Row>>,
): Promise<Row[] | null> {
  const client = await pool().connect();
  let broken = true;
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${PATIENCE}`);
    const result = await work(client).catch((error: unknown) => {
      // query_canceled: too many lines for the time there is.
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
