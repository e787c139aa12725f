import pg from 'pg';
import { TENANT_TABLES } from './tables';

/** Each transaction holds its locks only briefly. */
const BATCH = 2_000;
/**
 * For each row that is deleted from one of these tables, PostgreSQL searches for bookings that refer to it. Until the
 * next VACUUM, this also reads deleted bookings and takes a long time, so each transaction deletes one row.
 */
const REFERENCED = new Set(['applications', 'specialists', 'services', 'locations']);
const REPORT_EVERY_MS = 5_000;

/** Of the tenant itself and of accounts. Deleted last, in one transaction. */
const LAST = new Set(['tenants', 'users', 'totp_factors', 'passkeys', 'recovery_codes', 'user_identities']);

/** Deleted before the tenant's applications, because the condition reads their ids. */
const versions = (tenant: string) => `(topic = 'catalog' AND id = ${tenant}
  OR topic = 'policy' AND id IN (SELECT id FROM applications WHERE tenant_id = ${tenant}))`;

export type Erasing = {
  say: (line: string) => void;
  signal: AbortSignal | undefined;
  batch: number | undefined;
  onBatch: (() => void) | undefined;
};

/**
 * Returns the statement that deletes rows of a tenant and adds their number (its column `count`) to the record of the
 * deletion. `tenant` is SQL for the id. By default, it deletes all rows of the tenant.
 */
export function countedDelete(table: string, tenant: string, where = conditionOf(table, tenant)): string {
  return `
    WITH gone AS (DELETE FROM ${table} WHERE ${where} RETURNING 1), counted AS (SELECT count(*)::int AS count FROM gone)
    UPDATE tenant_deletions d SET rows = d.rows || jsonb_build_object('${table}', coalesce((d.rows->>'${table}')::bigint, 0) + count)
    FROM counted WHERE d.tenant_id = ${tenant} AND d.finished_at IS NULL RETURNING count`;
}

function conditionOf(table: string, tenant: string): string {
  return table === 'cache_versions' ? versions(tenant) : (TENANT_TABLES.get(table)?.(tenant) ?? 'false');
}

/**
 * Deletes a tenant's rows in all tables but `LAST`, before the rows to which they refer. Each batch is one statement
 * that also counts its rows, so the call can be interrupted and repeated at any time.
 */
export async function eraseRows(client: pg.Client, tenantId: string, erasing: Erasing): Promise<void> {
  const tenant = pg.escapeLiteral(tenantId);
  // Finding the rows of a table can take a long time. The statements that delete batches are short.
  await client.query('SET statement_timeout = 0');
  for (const table of ['cache_versions', ...[...TENANT_TABLES.keys()].reverse()]) {
    if (LAST.has(table)) continue;
    // Waits for a statement that is counting requests, has locked this row, and may insert counts of the tenant. A
    // later one inserts none, because the tenant's log entries are already deleted.
    if (table === 'request_counts') await client.query('SELECT FROM request_counts_progress FOR UPDATE');
    await eraseTable(client, table, tenant, erasing);
  }
}

async function eraseTable(client: pg.Client, table: string, tenant: string, erasing: Erasing): Promise<void> {
  const { say, signal, batch = REFERENCED.has(table) ? 1 : BATCH, onBatch } = erasing;
  // Rows in different partitions can have the same ctid.
  const [column, type] = table === 'request_log' ? ['request_id', 'text'] : ['ctid', 'tid'];
  const where = conditionOf(table, tenant);
  let total = 0;
  let reported = performance.now();
  for (let found = true; found; ) {
    found = false;
    // A query per batch would also read the index entries of deleted rows. PostgreSQL can reuse the ctid of a deleted
    // row for another tenant, so the DELETE repeats the condition.
    await client.query(
      `DECLARE found NO SCROLL CURSOR WITH HOLD FOR SELECT ${column} AS key FROM ${table} WHERE ${where}`,
    );
    for (let keys = await fetch(client, batch); keys.length > 0; keys = await fetch(client, batch)) {
      signal?.throwIfAborted();
      const sql = countedDelete(table, tenant, `${column} = ANY ($1::${type}[]) AND ${where}`);
      const { rows } = await client.query<{ count: number }>(sql, [keys]);
      total += rows[0]?.count ?? 0;
      found = true;
      onBatch?.();
      if (performance.now() - reported < REPORT_EVERY_MS) continue;
      say(`${table}: ${total} deleted so far`);
      reported = performance.now();
    }
    await client.query('CLOSE found');
  }
  if (total > 0) say(`${table}: ${total} deleted`);
}

async function fetch(client: pg.Client, batch: number): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(`FETCH ${batch} FROM found`);
  return rows.map(({ key }) => key);
}
