// Runs a migration's script and limits how long each statement waits for a lock, so that running servers keep serving.
import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long Prisma's own statements wait for a lock while it migrates. The statements of a migration's script have other
 * limits.
 */
export const LOCK_TIMEOUT = '5s';

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

/**
 * Runs the script of a migration in one transaction, so a script that fails changes nothing. The statements of a script
 * with CONCURRENTLY run one by one, without a transaction. If such a script fails, it continues when it is run again.
 * @param client a pool with a single connection
 */
export async function runScript(client, script) {
  const statements = concurrentStatements(script);
  if (!statements) return runBriefly(client, script);
  if (!statements.every((statement) => CREATE.test(statement) || DROP.test(statement))) {
    // PostgreSQL raises the error, because Prisma prints an error only if it comes from PostgreSQL.
    const message = 'a migration with CONCURRENTLY may contain only statements that create or drop an index with it';
    await client.query(`DO $$ BEGIN RAISE EXCEPTION '${message}'; END $$`);
  }
  for (const statement of statements) {
    const created = CREATE.exec(statement);
    if (!created) await dropIndex(client, DROP.exec(statement)[1]);
    else await createIndex(client, { unique: created[1] ?? '', name: created[2], table: created[3], rest: created[4] });
  }
}

/** Returns the statements of a script that contains CONCURRENTLY, or null for other scripts. */
function concurrentStatements(script) {
  const bare = script.replaceAll(/--.*$/gm, '');
  if (!/\bINDEX\s+CONCURRENTLY\b/i.test(bare)) return null;
  return bare
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean);
}

async function dropIndex(client, name) {
  const index = await findIndex(client, name);
  // PostgreSQL cannot drop the index of a partitioned table with CONCURRENTLY.
  if (index?.partitioned) await runBriefly(client, `DROP INDEX "${name}"`);
  else if (index) await runSlowly(client, () => client.query(`DROP INDEX CONCURRENTLY "${name}"`));
}

async function createIndex(client, { unique, name, table, rest }) {
  const { rows } = await client.query(`SELECT relkind = 'p' AS partitioned FROM pg_class WHERE oid = to_regclass($1)`, [
    `"${table}"`,
  ]);
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
      if (error.code === UNDEFINED_TABLE) continue;
      throw error;
    }
    // The index of the partitioned table becomes valid when the last partition's index is attached.
    await runBriefly(client, `ALTER INDEX "${name}" ATTACH PARTITION "${child}"`);
  }
}

/**
 * Returns the name and the oid of a partition that lacks an index of the partitioned table, or undefined if every
 * partition has the index.
 */
async function nextPartition(client, table, index) {
  const { rows } = await client.query(
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
async function build(client, name, statement) {
  await runSlowly(client, async () => {
    const index = await findIndex(client, name);
    if (index?.valid) return;
    if (index) await client.query(`DROP INDEX CONCURRENTLY "${name}"`);
    await client.query(statement);
  });
}

async function findIndex(client, name) {
  const { rows } = await client.query(
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
function runBriefly(client, sql) {
  return retry(RETRYABLE, () => withLockTimeout(client, SCRIPT_LOCK_TIMEOUT, () => client.query(sql)));
}

/**
 * Runs work that does not block requests. The work can wait a long time for each lock. If it fails with an error that
 * can be temporary, it runs again.
 */
function runSlowly(client, work) {
  return retry(RETRYABLE_BUILD, () => withLockTimeout(client, BUILD_TIMEOUT, work));
}

async function retry(codes, work) {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!codes.has(error.code) || tries === MAX_TRIES) throw error;
      await delay(PAUSE);
    }
  }
}

async function withLockTimeout(client, timeout, work) {
  await client.query(`SET lock_timeout = '${timeout}'`);
  try {
    await work();
  } finally {
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  }
}
