import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Later queries wait too while a script waits for a table lock. A deadlock ends after deadlock_timeout (1 s by
 * default). This wait is shorter, so that usually the script fails, not the request.
 */
const SCRIPT_LOCK_TIMEOUT = '500ms';

/** For each older transaction. Long, because requests do not wait for a statement with CONCURRENTLY. */
const BUILD_TIMEOUT = '10min';

/** lock_not_available and deadlock_detected, which queries of a running server can cause. */
const RETRYABLE = new Set(['55P03', '40P01']);

/** deadlock_detected. Not lock_not_available, because the statement has already waited for BUILD_TIMEOUT. */
const RETRYABLE_BUILD = new Set(['40P01']);

/** undefined_table. */
const UNDEFINED_TABLE = '42P01';

const MAX_TRIES = 10;

/** Milliseconds in which other queries, which wait for the script's locks, continue. */
const PAUSE = 500;

const CREATE = /^CREATE(\s+UNIQUE)?\s+INDEX\s+CONCURRENTLY\s+"?(\w+)"?\s+ON\s+"?(\w+)"?\s*(.*)$/is;
const DROP = /^DROP\s+INDEX\s+CONCURRENTLY\s+"?(\w+)"?$/i;

/** Of PostgreSQL. */
const MAX_NAME = 63;

type Index = { unique: string; name: string; table: string; rest: string };

/**
 * Runs the script of a migration, and then `finish`, while servers keep serving. Both are one transaction. The
 * statements of a script with CONCURRENTLY run one by one, without a transaction, and continue when it is run again.
 */
export async function runScript(client: pg.Client, script: string, finish: string): Promise<void> {
  const statements = concurrentStatements(script);
  if (!statements) return runBriefly(client, `${script}\n;${finish}`);
  const unknown = statements.some((statement) => !CREATE.test(statement) && !DROP.test(statement));
  if (unknown)
    throw new Error('a migration with CONCURRENTLY may contain only statements that create or drop an index with it');
  for (const statement of statements) {
    const [, unique = '', name = '', table = '', rest = ''] = CREATE.exec(statement) ?? [];
    if (name) await createIndex(client, { unique, name, table, rest });
    else await dropIndex(client, DROP.exec(statement)?.[1] ?? '');
  }
  await client.query(finish);
}

/** Null for scripts without CONCURRENTLY. */
function concurrentStatements(script: string): string[] | null {
  const bare = script.replaceAll(/--.*$/gm, '');
  if (!/\bINDEX\s+CONCURRENTLY\b/i.test(bare)) return null;
  return bare
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);
}

async function dropIndex(client: pg.Client, name: string): Promise<void> {
  const index = await findIndex(client, name);
  // PostgreSQL cannot drop the index of a partitioned table with CONCURRENTLY.
  if (index?.partitioned) await runBriefly(client, `DROP INDEX "${name}"`);
  else if (index) await runSlowly(client, () => client.query(`DROP INDEX CONCURRENTLY "${name}"`));
}

async function createIndex(client: pg.Client, { unique, name, table, rest }: Index): Promise<void> {
  const { rows } = await client.query<{ partitioned: boolean }>(
    `SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = to_regclass($1)`,
    [`"${table}"`],
  );
  if (!rows[0]?.partitioned)
    return build(client, name, `CREATE${unique} INDEX CONCURRENTLY "${name}" ON "${table}" ${rest}`);
  // PostgreSQL cannot build the index of a partitioned table with CONCURRENTLY, so each partition gets its own below.
  // New partitions get theirs at their creation, when they are empty.
  if (!(await findIndex(client, name)))
    await runBriefly(client, `CREATE${unique} INDEX "${name}" ON ONLY "${table}" ${rest}`);
  for (let part = await nextPartition(client, table, name); part; part = await nextPartition(client, table, name)) {
    // After an interruption, the next run finds the index by this unique name.
    const suffix = `_${part.oid}`;
    const child = `${name.slice(0, MAX_NAME - suffix.length)}${suffix}`;
    try {
      await build(client, child, `CREATE${unique} INDEX CONCURRENTLY "${child}" ON "${part.name}" ${rest}`);
    } catch (error) {
      // A server's retention job has dropped the partition in the meantime.
      if (codeOf(error) === UNDEFINED_TABLE) continue;
      throw error;
    }
    // The index of the partitioned table becomes valid when the last partition's index is attached.
    await runBriefly(client, `ALTER INDEX "${name}" ATTACH PARTITION "${child}"`);
  }
}

type Partition = { oid: string; name: string };

/** Undefined if every partition has the index. */
async function nextPartition(client: pg.Client, table: string, index: string): Promise<Partition | undefined> {
  const { rows } = await client.query<Partition>(
    `SELECT oid::text, relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = to_regclass($1) AND NOT EXISTS (
       SELECT FROM pg_inherits AS attached JOIN pg_index ON indexrelid = attached.inhrelid
       WHERE attached.inhparent = to_regclass($2) AND indrelid = oid)
     ORDER BY oid LIMIT 1`,
    [`"${table}"`, `"${index}"`],
  );
  return rows[0];
}

/** An interrupted build leaves an invalid index, which is dropped first. */
async function build(client: pg.Client, name: string, statement: string): Promise<void> {
  await runSlowly(client, async () => {
    const index = await findIndex(client, name);
    if (index?.valid) return;
    if (index) await client.query(`DROP INDEX CONCURRENTLY "${name}"`);
    await client.query(statement);
  });
}

type FoundIndex = { valid: boolean; partitioned: boolean };

async function findIndex(client: pg.Client, name: string): Promise<FoundIndex | undefined> {
  const { rows } = await client.query<FoundIndex>(
    `SELECT indisvalid AS valid, relkind = 'I' AS partitioned FROM pg_index JOIN pg_class ON oid = indexrelid
     WHERE oid = to_regclass($1)`,
    [`"${name}"`],
  );
  return rows[0];
}

/** The locks can block requests, so each wait is short and repeated. */
function runBriefly(client: pg.Client, sql: string): Promise<void> {
  return retry(RETRYABLE, () => withLockTimeout(client, SCRIPT_LOCK_TIMEOUT, () => client.query(sql)));
}

/** The work does not block requests, so it can wait a long time for each lock. */
function runSlowly(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  return retry(RETRYABLE_BUILD, () => withLockTimeout(client, BUILD_TIMEOUT, work));
}

async function retry(codes: Set<string>, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!codes.has(codeOf(error)) || tries === MAX_TRIES) throw error;
      await delay(PAUSE);
    }
  }
}

async function withLockTimeout(client: pg.Client, timeout: string, work: () => Promise<unknown>): Promise<void> {
  await client.query(`SET lock_timeout = '${timeout}'`);
  try {
    await work();
    await client.query('RESET lock_timeout');
  } catch (error) {
    // A script with its own BEGIN leaves its transaction open. These statements fail if the connection is lost.
    await client.query('ROLLBACK').catch(() => undefined);
    await client.query('RESET lock_timeout').catch(() => undefined);
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
