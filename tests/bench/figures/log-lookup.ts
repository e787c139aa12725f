import type { Connections } from '@/lib/platform/db';
import { rowOfLatencies } from '../compare';
import type { Outcome } from '../figure';
import { ENTRIES, fillRequestLog, REQUEST_ID } from '../request-log';
import type { Stage } from '../stage';

const LOOKUPS = 2_000;
/** Number of lookups before the measurement. They fill the database's caches. */
const WARM_UP = 200;

const LOOKUP = 'SELECT * FROM request_log WHERE request_id = $1';

/** Measures the p99, in milliseconds, of looking up a request by its id in a request log of five million entries. */
export async function measureLogLookup(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await fillRequestLog(stage);
  return lookUp(pool());
}

async function lookUp(pool: Connections): Promise<Outcome> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT ${REQUEST_ID} AS id FROM (SELECT 1 + floor(random() * ${ENTRIES})::bigint AS n FROM generate_series(1, ${LOOKUPS + WARM_UP})) AS chosen`,
  );
  const latencies: number[] = [];
  for (const [index, { id }] of rows.entries()) {
    const startedAt = performance.now();
    const found = await pool.query(LOOKUP, [id]);
    if (index >= WARM_UP) latencies.push(performance.now() - startedAt);
    if (found.rowCount !== 1) throw new Error('An entry of the request log was not found.');
  }
  const row = rowOfLatencies('lookup by id', latencies);
  return { value: row.p99, rows: [row] };
}
