import type pg from 'pg';
import type { Figure, Outcome } from '../figure';
import { quantile } from '../numbers';
import type { Stage } from '../stage';

const LINES = 5_000_000;
/** Lines of one INSERT; several run at once. */
const BATCH = 250_000;
const WRITERS = 2;
const LOOK_UPS = 2_000;
/** Reads into the database's caches what is read on every look-up. */
const WARM_UP = 200;

// Like the real ones in form and order: ids begin with their time. Hexadecimal digits are a part of their alphabet.
const ID = `'req_0' || lpad(to_hex(1700000000000 + n), 12, '0') || left(md5(n::text), 13)`;

// A month of a partner's reads, one in twenty refused.
const FILL = `
  INSERT INTO request_log (request_id, at, tenant_id, application_id, method, route, path, status, code, duration_ms, address, user_agent)
  SELECT ${ID}, now() - interval '30 days' + n * interval '0.5 second', $3, $4, 'GET', '/api/partner/v1/catalog',
    '/api/partner/v1/catalog', CASE WHEN n % 20 = 0 THEN 400 ELSE 200 END, CASE WHEN n % 20 = 0 THEN 'invalid_request' END,
    1.5, '127.0.0.1', 'bench'
  FROM generate_series($1::bigint, $2::bigint) n`;

/** What a support person does with a request id: the whole line of exactly that request. */
const LOOK_UP = 'SELECT * FROM request_log WHERE request_id = $1';

/** One request found by its id in a log of five million: the slowest of a hundred look-ups counts. */
export const logLookup: Figure = {
  name: 'log-lookup',
  title: 'one request found by id among 5,000,000 log rows, p99',
  floor: { below: 20 },
  unit: 'ms',
  run: async (stage) => {
    const { pool } = await import('@/lib/db');
    stage.say(`Filling the request log with ${LINES.toLocaleString('en')} lines (a minute or two) …`);
    await fill(pool(), stage);
    return lookUp(pool());
  },
};

async function fill(pool: pg.Pool, stage: Stage): Promise<void> {
  let next = 1;
  const writer = async () => {
    const client = await pool.connect();
    try {
      await client.query('SET statement_timeout = 0');
      while (next <= LINES) {
        const from = next;
        next += BATCH;
        await client.query(FILL, [from, Math.min(next - 1, LINES), stage.tenantId, stage.applicationId]);
      }
    } finally {
      // Its setting must not come back with it.
      client.release(true);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('VACUUM (ANALYZE) request_log');
    await client.query('CHECKPOINT');
  } finally {
    client.release(true);
  }
}

async function lookUp(pool: pg.Pool): Promise<Outcome> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT ${ID} AS id FROM (SELECT 1 + floor(random() * ${LINES})::bigint AS n FROM generate_series(1, ${LOOK_UPS + WARM_UP})) AS chosen`,
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
