import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { MIGRATION_LOCKS } from '@/lib/platform/locks';
import { markBaseline, replacedMigrations } from './baseline';
import { EnvironmentError, withClient } from './connection';
import { type LockWait, takeSessionLock } from './lock-wait';
import { runScript } from './migration-script';
import { requireDirect } from './pooler';

/** `server_version_num`: the major version × 10,000 plus the minor version. */
const OLDEST_POSTGRES = 150_000;

/**
 * Applies pending migrations and returns their names. Of several processes, one migrates and the others wait.
 * `databaseUrl` must not lead to a pooler. `root` contains `prisma/migrations`.
 * @throws EnvironmentError if PostgreSQL is too old or cannot be reached, through a pooler, if a lock is held for too
 * long, if PostgreSQL rejects a migration, or if the database has migrations that this version does not include.
 */
export async function applyMigrations(
  databaseUrl: string,
  root = process.cwd(),
  waiting: LockWait = {},
): Promise<string[]> {
  await requireDirect(databaseUrl);
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ version: number; name: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name`,
    );
    for (const { version, name } of rows) requirePostgres(version, name);
    if ((await pendingMigrations(client, root)).length === 0) return [];
    await takeSessionLock(client, MIGRATION_LOCKS.migrate, waiting);
    await markBaseline(client, await appliedMigrations(client));
    const pending = await pendingMigrations(client, root);
    // The tables of a new database are empty, so no message about a long wait is needed.
    if ((await appliedMigrations(client)).size > 0) await announceBuilds(root, pending, waiting);
    await deploy(client, root, pending);
    return pending;
  });
}

/** `version` is `server_version_num`, such as 150004. @throws EnvironmentError if it is older than PostgreSQL 15. */
export function requirePostgres(version: number, name: string): void {
  if (version >= OLDEST_POSTGRES) return;
  throw new EnvironmentError(`PostgreSQL 15 or newer is required, but this server is ${name}.`);
}

/**
 * Returns the migrations that a database lacks.
 * @throws EnvironmentError if the database has migrations that this version does not include, or only some of 0.1.0.
 */
export async function pendingMigrations(client: pg.Client, root: string): Promise<string[]> {
  const entries = await readdir(join(root, 'prisma', 'migrations'), { withFileTypes: true });
  const known = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
  const applied = await appliedMigrations(client);
  const replaced = replacedMigrations(applied);
  const unknown = [...applied].filter((name) => !known.has(name) && !replaced.includes(name)).sort();
  if (unknown.length > 0) {
    // Data that this older version would write could violate the rules of the newer version.
    throw new EnvironmentError(
      `This database belongs to a newer version, which has added the migration ${unknown.at(-1)}. Use that version.`,
    );
  }
  return [...known].filter((name) => !applied.has(name)).sort();
}

/** Building indexes can take a long time. */
async function announceBuilds(root: string, pending: string[], { say = () => {} }: LockWait): Promise<void> {
  for (const name of pending) {
    const script = await readFile(join(root, 'prisma', 'migrations', name, 'migration.sql'), 'utf8');
    if (script.split('\n').some((line) => /^CREATE (UNIQUE )?INDEX CONCURRENTLY\s/i.test(line.trim())))
      say(`${name} builds indexes while requests continue. This takes about a minute per ten million rows …`);
  }
}

/** Returns the names of the migrations that were applied to a database. */
export async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  const found = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`);
  if (!found.rows[0]?.found) return new Set();
  const { rows } = await client.query<{ migration_name: string }>(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Set(rows.map((row) => row.migration_name));
}

/** As Prisma creates it. */
const HISTORY = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
    migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/** Records each migration as `prisma migrate deploy` does. A failed one runs again, and is then recorded once more. */
async function deploy(client: pg.Client, root: string, pending: string[]): Promise<void> {
  await client.query(HISTORY);
  for (const name of pending) {
    const script = await readFile(join(root, 'prisma', 'migrations', name, 'migration.sql'), 'utf8');
    const id = randomUUID();
    await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
      id,
      createHash('sha256').update(script).digest('hex'),
      name,
    ]);
    const finish = `UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = '${id}'`;
    await runScript(client, script, finish).catch((error: Error) => {
      throw new EnvironmentError(`The database could not be migrated because ${name} failed:\n${error.message}`, {
        cause: error,
      });
    });
  }
}
