import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import {
  createPartitions,
  dropDetached,
  dropPartition,
  listPartitions,
  PARTITION_PAUSE,
} from '@/lib/activity/request-log/partitions';
import { db, pool } from '@/lib/platform/db';
import { BOUNDS, daysBefore } from './settings';

/** Days, also for entries without a tenant. */
const LONGEST = BOUNDS.request_log_days.max;

/** Creates the request-log partitions for the next few days. Every instance runs this, even with Inngest. */
export async function prepareRequestLog(now: Date): Promise<{ created: number }> {
  return withConnection(async (client) => ({ created: await createPartitions(client, now) }));
}

/** Drops partitions of expired entries, apart from a few that move to the default partition. Returns their number. */
export async function dropOldPartitions(now: Date): Promise<number> {
  const { _min: shortest } = await db().tenant.aggregate({ _min: { requestLogDays: true } });
  const due = daysBefore(now, shortest.requestLogDays ?? LONGEST);
  return withConnection(async (client) => {
    await dropDetached(client);
    let dropped = 0;
    for (const { name, end } of await listPartitions(client)) {
      if (end === null || end > due) continue;
      if (dropped > 0) await delay(PARTITION_PAUSE);
      if (await dropPartition(client, name)) dropped += 1;
    }
    return dropped;
  });
}

async function withConnection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let broken = true;
  try {
    const result = await work(client);
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

// Another process deletes the entries that it has locked. ANY with an array lets PostgreSQL search only the partitions
// that can contain the ids.

export const DELETE_ENTRIES = `
  DELETE FROM request_log WHERE request_id = ANY (ARRAY(
    SELECT request_id FROM request_log WHERE tenant_id = $1 AND at < $2 ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED))`;

export const DELETE_UNKNOWN_ENTRIES = `
  DELETE FROM request_log WHERE request_id = ANY (ARRAY(
    SELECT request_id FROM request_log WHERE tenant_id IS NULL AND at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`;
