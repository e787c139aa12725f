import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { SESSION_TIMEOUTS } from '@/lib/platform/db';
import { EnvironmentError, withClient } from './connection';

/** Milliseconds until a pooler opens a second connection to the database server. */
const SECOND_CONNECTION = 2_000;

/** invalid_sql_statement_name and duplicate_prepared_statement: the pooler does not keep prepared statements. */
const LOST_STATEMENT = new Set(['26000', '42P05']);

/** Milliseconds, about 24 days, the maximum. */
const LONGEST = 2 ** 31 - 1;
/** protocol_violation: the pooler refuses a parameter at the start of a connection. */
const REFUSED_PARAMETER = '08P01';

/**
 * Refuses a pooler, whose connections several clients share, and with them the session locks.
 * @throws EnvironmentError if connections lead through a pooler, or cannot be opened.
 */
export async function requireDirect(databaseUrl: string): Promise<void> {
  if (await isDirect(databaseUrl)) return;
  throw new EnvironmentError(
    'Migrations and polls for changes need a direct connection, but this database URL leads through a connection pooler. Set DIRECT_DATABASE_URL to the address of PostgreSQL itself. MIGRATION_DATABASE_URL must lead there too.',
  );
}

/** Returns whether a session has the setting with which it was asked to begin. A pooler refuses or ignores the setting. */
async function isDirect(databaseUrl: string): Promise<boolean> {
  const asked = LONGEST - randomInt(1_000_000);
  const read = (client: pg.Client) =>
    client.query<{ setting: string }>(
      `SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`,
    );
  try {
    const { rows } = await withClient(databaseUrl, read, { idle_in_transaction_session_timeout: asked });
    return rows[0]?.setting === String(asked);
  } catch (error) {
    const { code } = (error as { cause?: { code?: string } }).cause ?? {};
    if (code === REFUSED_PARAMETER) return false;
    throw error;
  }
}

/**
 * Checks that a server can use the pooler. Returns a warning if its connections lack `SESSION_TIMEOUTS`, or null.
 * @throws EnvironmentError if the two URLs lead to different databases, or if the pooler loses prepared statements.
 */
export async function checkPooler(pooledUrl: string, directUrl: string): Promise<string | null> {
  return withClient(directUrl, (direct) =>
    withClient(pooledUrl, (first) =>
      withClient(pooledUrl, async (second) => {
        await requireSameDatabase(direct, first, 'DATABASE_URL and DIRECT_DATABASE_URL');
        await requireStatements(first, second);
        return await missingTimeouts(first);
      }),
    ),
  );
}

/**
 * Requires that two connections lead to the same database. `direct` must not go through a pooler. `settings` names both
 * for the error message.
 * @throws EnvironmentError if the databases differ.
 */
export async function requireSameDatabase(direct: pg.Client, other: pg.Client, settings: string): Promise<void> {
  if (!(await isSameDatabase(direct, other))) throw new EnvironmentError(`${settings} lead to different databases.`);
}

async function isSameDatabase(direct: pg.Client, other: pg.Client): Promise<boolean> {
  const key = randomInt(2 ** 40);
  await direct.query(`SELECT pg_advisory_lock(${key})`);
  // An advisory lock exists only within one database.
  const { rows } = await other.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${key}) AS taken`);
  await direct.query(`SELECT pg_advisory_unlock(${key})`);
  return !rows[0]?.taken;
}

async function requireStatements(first: pg.Client, second: pg.Client): Promise<void> {
  const statement = { name: 'pooler-check', text: 'SELECT 1', query_timeout: SECOND_CONNECTION };
  try {
    await first.query(statement);
    // Occupies a connection of the pooler, maybe the one on which `first` prepared the statement, so that `first` runs
    // it again on another connection.
    await second.query('BEGIN');
    await first.query(statement);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!LOST_STATEMENT.has(code)) throw error;
    throw new EnvironmentError(
      'The connection pooler at DATABASE_URL loses prepared statements, so most requests would fail. Use PgBouncer 1.21 or newer, with max_prepared_statements of at least 100.',
      { cause: error },
    );
  }
}

async function missingTimeouts(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM pg_settings WHERE setting = '0' AND name = ANY($1) ORDER BY name`,
    [Object.keys(SESSION_TIMEOUTS)],
  );
  if (rows.length === 0) return null;
  const names = rows.map(({ name }) => name).join(', ');
  return `Connections of the pooler at DATABASE_URL have no ${names}. Set connect_query as in deploy/pgbouncer/pgbouncer.ini.`;
}
