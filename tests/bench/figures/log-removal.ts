import type pg from 'pg';
import { dropPartition, PARTITION_PAUSE } from '@/lib/activity/request-log/partitions';
import { rowOfLatencies } from '../compare';
import type { Outcome } from '../figure';
import { type Logs, openLogs } from '../full-log';
import { median, quantile } from '../numbers';
import { sized } from '../size';
import type { Stage } from '../stage';
import { writeOf } from './log-write';

/** Number of days of the request log that each benchmark of this file removes. */
const DAYS = 8;
/** Milliseconds to wait after the removal of each day. Retention waits as long between two days. */
const PAUSE = sized(PARTITION_PAUSE, 100);

/** Measures how long retention takes to remove one day from the full log: the median in milliseconds. */
export async function measureLogRemoval(stage: Stage): Promise<Outcome> {
  const { full, days } = await openLogs(stage);
  const times = await removeDays(full, days, 0);
  return { value: median(times), rows: [rowOfLatencies('removal of a day', times)] };
}

/**
 * Measures how much the removal of old days slows down the writes of log entries. The value is the p99 latency during
 * removals divided by the p99 latency without removals.
 */
export async function measureLogRemovalBeside(stage: Stage): Promise<Outcome> {
  const { full, days } = await openLogs(stage);
  const alone = await writeBeside(full, () => new Promise((resolve) => setTimeout(resolve, DAYS * PAUSE)));
  const beside = await writeBeside(full, () => removeDays(full, days, PAUSE));
  const [first, second] = [rowOfLatencies('write beside removals', beside), rowOfLatencies('write alone', alone)];
  const p99 = (latencies: number[]) =>
    quantile(
      [...latencies].sort((a, b) => a - b),
      0.99,
    );
  return { value: p99(beside) / p99(alone), rows: [first, second] };
}

// The database refuses to drop a day that a tenant keeps, and to shorten this time without an audit entry.
const EXPIRE = `
  WITH shorter AS (UPDATE tenants SET request_log_days = 1 RETURNING id)
  INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id, after)
  SELECT 'aud_' || substr(id, 5), now(), id, 'system', 'retention.changed', 'tenant', id, '{"request_log_days": 1}' FROM shorter
  ON CONFLICT DO NOTHING`;

async function removeDays(pool: pg.Pool, days: Logs['days'], pause: number): Promise<number[]> {
  await pool.query(EXPIRE);
  const client = await pool.connect();
  const times: number[] = [];
  for (const day of days.splice(0, DAYS)) {
    const startedAt = performance.now();
    if (!(await dropPartition(client, day))) throw new Error('A day could not be removed.');
    times.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  client.release();
  return times;
}

/** Writes log entries one by one on two connections while `work` runs. Returns the milliseconds of each write. */
async function writeBeside(pool: pg.Pool, work: () => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  let running = true;
  const writer = async () => {
    while (running) {
      const startedAt = performance.now();
      await pool.query(writeOf(1));
      latencies.push(performance.now() - startedAt);
    }
  };
  const writers = Promise.all([writer(), writer()]);
  await work();
  running = false;
  await writers;
  return latencies;
}
