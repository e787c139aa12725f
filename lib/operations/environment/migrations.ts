import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { EnvironmentError, withClient } from './connection';

/** As `server_version_num` counts: major version × 10,000. */
const OLDEST_POSTGRES = 150_000;

/** Any constant; this one spells "migr". Prisma's own lock gives up after ten seconds, this one waits. */
export const MIGRATION_LOCK = 0x6d696772;

/** The one that Prisma takes while it migrates. */
const PRISMA_LOCK = 72_707_369;

/**
 * Brings the database to the newest migration and returns the names of those that were missing. With none missing it
 * costs a few milliseconds. Any number of processes may do this at once: one works, the others wait.
 * @param root where `prisma.config.ts` lies.
 * @throws EnvironmentError when PostgreSQL is too old, cannot be reached or refuses a migration, and when the database
 * is of a newer version than this code.
 */
export async function applyMigrations(databaseUrl: string, root = process.cwd()): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ version: number; name: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name`,
    );
    for (const { version, name } of rows) requirePostgres(version, name);
    if ((await pendingMigrations(client, root)).length === 0) return [];
    // Released with the connection, however this ends.
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await forgetFailed(client);
    const pending = await pendingMigrations(client, root);
    if (pending.length > 0) await deploy(databaseUrl, root);
    return pending;
  });
}

/**
 * Refuses a server that lacks what the migrations use.
 * @param version as `server_version_num` says it, such as 150004.
 * @throws EnvironmentError when it is older than PostgreSQL 15.
 */
export function requirePostgres(version: number, name: string): void {
  if (version >= OLDEST_POSTGRES) return;
  throw new EnvironmentError(`PostgreSQL 15 or newer is required, this server is ${name}.`);
}

async function pendingMigrations(client: pg.Client, root: string): Promise<string[]> {
  const entries = await readdir(join(root, 'prisma', 'migrations'), { withFileTypes: true });
  const known = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
  const applied = await appliedMigrations(client);
  const unknown = [...applied].filter((name) => !known.has(name)).sort();
  if (unknown.length > 0) {
    // What this code would write may be what that version no longer understands.
    throw new EnvironmentError(
      `This database is of a newer version: it has the migration ${unknown.at(-1)}, which is unknown here. Start that version.`,
    );
  }
  return [...known].filter((name) => !applied.has(name)).sort();
}

/**
 * Lets a migration that failed be tried again. It has left nothing, as each is one transaction, but Prisma would refuse
 * every further one until somebody has said so.
 */
async function forgetFailed(client: pg.Client): Promise<void> {
  if (!(await hasMigrations(client))) return;
  // A killed start lets its migration finish: that one is not failed yet.
  await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
  await client.query('SELECT pg_advisory_unlock($1)', [PRISMA_LOCK]);
}

async function hasMigrations(client: pg.Client): Promise<boolean> {
  const found = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`);
  return Boolean(found.rows[0]?.found);
}

/** Returns the names of the migrations that a database has. */
export async function appliedMigrations(client: pg.Client): Promise<Set<string>> {
  if (!(await hasMigrations(client))) return new Set();
  const { rows } = await client.query<{ migration_name: string }>(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Set(rows.map((row) => row.migration_name));
}

async function deploy(databaseUrl: string, root: string): Promise<void> {
  const cli = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const { code, output } = await run(process.execPath, [cli, 'migrate', 'deploy'], root, databaseUrl);
  if (code === 0) return;
  throw new EnvironmentError(failureText(output));
}

/** Returns what went wrong in the words of PostgreSQL, with the name of the migration, without the engine's own trace. */
function failureText(output: string): string {
  const chatter = /^(Loaded Prisma config|Prisma schema loaded|Error: external connector error).*\n|^\n/gm;
  const said = output.replaceAll(chatter, '').replaceAll(/^Error querying the database: (ERROR: )?/gm, '');
  const name = /migration_name="(\w+)"/.exec(said)?.[1];
  const [reason = ''] = name ? said.split(/^ +0: /m) : [said];
  return `The database could not be migrated${name ? `, ${name} failed` : ''}:\n${reason.trim()}`;
}

async function run(command: string, args: string[], cwd: string, databaseUrl: string) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, DATABASE_URL: databaseUrl, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a process group of its own: Ctrl-C ends the start, but lets a migration in progress finish.
    detached: true,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  return { code, output };
}
