import type pg from 'pg';
import type { Figure, Outcome } from '../figure';
import { quantile } from '../numbers';
import { fillRequestLog, LINES, REQUEST_ID } from '../request-lines';

const LOOK_UPS = 2_000;
/** Reads into the database's caches what is read on every look-up. */
const WARM_UP = 200;

/** What a support person does with a request id: the whole line of exactly that request. */
const LOOK_UP = 'SELECT * FROM request_log WHERE request_id = $1';

/** One request found by its id in a log of five million: the slowest of a hundred look-ups counts. */
export const logLookup: Figure = {
  name: 'log-lookup',
  title: 'one request found by id among 5,000,000 log rows, p99',
  floor: { below: 20 },
  unit: 'ms',
  run: async (stage) => {
    const { pool } = await import('@/lib/platform/db');
    await fillRequestLog(stage);
    return lookUp(pool());
  },
};

async function lookUp(pool: pg.Pool): Promise<Outcome> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT ${REQUEST_ID} AS id FROM (SELECT 1 + floor(random() * ${LINES})::bigint AS n FROM generate_series(1, ${LOOK_UPS + WARM_UP})) AS chosen`,
  );
  const latencies: number[] = [];
  for (const [index, { id }] of rows.entries()) {
    const begun = performance.now();
    const found = await pool.query(LOOK_UP, [id]);
    if (index >= WARM_UP) latencies.push(performance.now() - begun);
    if (found.rowCount !== 1) throw new Error('A line of the request log was not found.');
  }
  const seconds = latencies.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000;
  latencies.sort((a, b) => a - b);
  const p99 = quantile(latencies, 0.99);
  const row = {
    what: 'look-up by id',
    rate: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99,
  };
  return { value: p99, rows: [row] };
}
