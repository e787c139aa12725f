import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Maximum wait of a script for each table lock. Every later query on the table waits too, and so do queries on the
 * tables that the script has already locked. PostgreSQL ends a deadlock only after deadlock_timeout (1 s by default).
 * This wait is shorter, so in a deadlock with a request, usually the script fails, not the request.
 */
const SCRIPT_LOCK_TIMEOUT = '500ms';

/**
 * How long a statement with CONCURRENTLY waits for each transaction that began before it. The limit is long, because
 * requests do not wait for such a statement.
 */
const BUILD_TIMEOUT = '10min';

/**
 * The SQLSTATEs lock_not_available and deadlock_detected, after which the script runs again. Queries of a running
 * server can cause both errors, so another run may succeed.
 */
const RETRYABLE = new Set(['55P03', '40P01']);

/**
 * The SQLSTATE deadlock_detected, after which a statement with CONCURRENTLY runs again. Such a statement does not run
 * again after lock_not_available, because it has already waited for BUILD_TIMEOUT.
 */
const RETRYABLE_BUILD = new Set(['40P01']);

/** The SQLSTATE undefined_table. */
const UNDEFINED_TABLE = '42P01';

/** Maximum number of times that a script is run. */
const MAX_TRIES = 10;

/**
 * Milliseconds between two runs of a script. A run makes other queries wait for its locks. These queries continue
 * during the pause.
 */
const PAUSE = 500;

const CREATE = /^CREATE(\s+UNIQUE)?\s+INDEX\s+CONCURRENTLY\s+"?(\w+)"?\s+ON\s+"?(\w+)"?\s*(.*)$/is;
const DROP = /^DROP\s+INDEX\s+CONCURRENTLY\s+"?(\w+)"?$/i;

/** Maximum length of a name in PostgreSQL. */
const MAX_NAME = 63;

type Index = { unique: string; name: string; table: string; rest: string };

/**
 * Runs the script of a migration, and then `finish`, so that running servers keep serving. Both are one transaction, so a
 * script that fails changes nothing, and one whose process is killed is either finished or undone. The statements of a
 * script with CONCURRENTLY run one by one, without a transaction. If such a script fails, it continues when it is run
 * again.
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

/** Returns the statements of a script that contains CONCURRENTLY, or null for other scripts. */
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
  // PostgreSQL cannot build the index of a partitioned table with CONCURRENTLY. This statement creates the index
  // without building it for existing partitions. The loop below builds it for each of them. A partition that is
  // created from now on gets its index when it is created. This takes no time, because the partition is empty.
  if (!(await findIndex(client, name)))
    await runBriefly(client, `CREATE${unique} INDEX "${name}" ON ONLY "${table}" ${rest}`);
  for (let part = await nextPartition(client, table, name); part; part = await nextPartition(client, table, name)) {
    // The suffix makes the name unique. After an interruption, the next run finds the index by this name.
    const suffix = `_${part.oid}`;
    const child = `${name.slice(0, MAX_NAME - suffix.length)}${suffix}`;
    try {
      await build(client, child, `CREATE${unique} INDEX CONCURRENTLY "${child}" ON "${part.name}" ${rest}`);
    } catch (error) {
      // A server's retention job has dropped the partition in the meantime, so the partition needs no index.
      if (codeOf(error) === UNDEFINED_TABLE) continue;
      throw error;
    }
    // The index of the partitioned table becomes valid when the last partition's index is attached.
    await runBriefly(client, `ALTER INDEX "${name}" ATTACH PARTITION "${child}"`);
  }
}

type Partition = { oid: string; name: string };

/**
 * Returns the name and the oid of a partition that lacks an index of the partitioned table, or undefined if every
 * partition has the index.
 */
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

/**
 * Builds an index with CONCURRENTLY. Does nothing if an earlier run built it. If an interrupted build left it invalid,
 * drops it first.
 */
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

/**
 * Runs SQL whose locks can block requests. Waits only a short time for each lock, and tries again after an error that
 * can be temporary.
 */
function runBriefly(client: pg.Client, sql: string): Promise<void> {
  return retry(RETRYABLE, () => withLockTimeout(client, SCRIPT_LOCK_TIMEOUT, () => client.query(sql)));
}

/**
 * Runs work that does not block requests. The work can wait a long time for each lock. If it fails with an error that
 * can be temporary, it runs again.
 */
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
