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

/** The longest possible retention in days. It is also the retention of entries without a tenant. */
const LONGEST = BOUNDS.request_log_days.max;

/**
 * Creates the request-log partitions for the next few days. Every instance runs this job, even if Inngest runs the
 * other jobs.
 */
export async function prepareRequestLog(now: Date): Promise<{ created: number }> {
  return withConnection(async (client) => ({ created: await createPartitions(client, now) }));
}

/**
 * Drops the request-log partitions whose entries are older than their tenants' retention period. A partition with only
 * a few entries to keep is dropped too, after these entries have been moved to the default partition. Returns the
 * number of dropped partitions.
 */
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

// The two statements below skip entries that another process has locked, because that process is deleting them already.
// ANY with an array is used instead of IN, so that PostgreSQL searches only the partitions that can contain the ids.

/** SQL that deletes up to `$3` log entries of a tenant, all from before a given time. */
export const DELETE_ENTRIES = `
  DELETE FROM request_log WHERE request_id = ANY (ARRAY(
    SELECT request_id FROM request_log WHERE tenant_id = $1 AND at < $2 ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED))`;

/** SQL that deletes up to `$2` log entries that belong to no tenant, all from before a given time. */
export const DELETE_UNKNOWN_ENTRIES = `
  DELETE FROM request_log WHERE request_id = ANY (ARRAY(
    SELECT request_id FROM request_log WHERE tenant_id IS NULL AND at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`;
