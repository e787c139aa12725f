import type pg from 'pg';
import { INSERT_LOG_ENTRIES } from '@/lib/activity/request-log/insert';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { newId } from '@/lib/platform/ids';
import { bind, statement } from '@/lib/platform/sql';
import { rowOfLatencies } from '../compare';
import type { Outcome } from '../figure';
import { FULL_LINES, idOf, openLogs } from '../full-log';
import { median } from '../numbers';
import { sized } from '../size';
import type { Stage } from '../stage';

const ROUNDS = sized(7, 1);
const SECONDS = sized(3, 0.5);
const WARM_UP_SECONDS = sized(1, 0.5);
/** Number of entries per statement. Under load, the log buffer writes statements of this size. */
const BATCH = 500;

const INSERT = statement<never>('request-log-insert')`${INSERT_LOG_ENTRIES} ON CONFLICT (request_id) DO NOTHING`;

/**
 * Compares how many batches of log entries can be written per second to the full log and to the empty log. The two logs
 * are measured alternately.
 */
export async function measureLogWrite(stage: Stage): Promise<Outcome> {
  const { full, empty } = await openLogs(stage);
  for (const pool of [full, empty]) await writeFor(pool, WARM_UP_SECONDS);
  const latencies = { full: [] as number[], empty: [] as number[] };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second] = [await writeFor(full, SECONDS), await writeFor(empty, SECONDS)];
    latencies.full.push(...first);
    latencies.empty.push(...second);
    ratios.push(first.length / second.length);
  }
  return {
    value: median(ratios),
    rows: [
      rowOfLatencies(`${BATCH} entries into ${FULL_LINES.toLocaleString('en')}`, latencies.full),
      rowOfLatencies(`${BATCH} entries into an empty log`, latencies.empty),
    ],
    notes: [`ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(3)).join(' ')}`],
  };
}

/** Writes batches for a number of seconds. Returns the milliseconds that each batch took. */
async function writeFor(pool: pg.Pool, seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const startedAt = performance.now();
    await pool.query(writeOf(BATCH));
    latencies.push(performance.now() - startedAt);
  }
  return latencies;
}

/** Returns the statement that writes `count` new entries. */
export function writeOf(count: number): pg.QueryConfig {
  const entries = Array.from({ length: count }, (_, n): LogEntry => {
    const refused = n % 20 === 0;
    return {
      request_id: newId('req'),
      at: new Date().toISOString(),
      tenant_id: idOf('ten'),
      application_id: idOf('app'),
      key_id: idOf('key'),
      method: 'GET',
      route: '/api/partner/v1/catalog',
      path: '/api/partner/v1/catalog',
      status: refused ? 400 : 200,
      code: refused ? 'invalid_request' : null,
      reason: null,
      invalid_fields: [],
      duration_ms: 1.5,
      address: '127.0.0.1',
      origin: null,
      user_agent: 'bench',
      idempotency_key_hash: null,
      replayed_from: null,
      booking_reference: null,
      external_reference: null,
      refused: null,
    };
  });
  return bind(INSERT, { logEntries: JSON.stringify(entries) });
}
