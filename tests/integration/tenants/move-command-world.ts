import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { isAccountTable } from '@/lib/operations/tenants/accounts';
import { TENANT_TABLES } from '@/lib/operations/tenants/tables';
import { env } from '@/lib/platform/env';
import { lockKey } from '@/lib/platform/locks';
import { OWNER } from '@/lib/platform/postgres/roles';
import { createDatabase, openPool } from '@/tests/support/database';
import { freshDataDir, type Launch, launch } from '@/tests/support/launcher';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { until } from '@/tests/support/until';
import { fillTenants, SHARED_USER, TENANT } from './world';

export const NAME = 'Olga’s "Salon" and Olga\'s Spa';

/** The `move` commands of docs/cells.md, without `ENVIRONMENT=LIVE npm run tenant --`. */
const [MOVE = '', ABORT = ''] = [
  ...readFileSync('docs/cells.md', 'utf8').matchAll(/^ENVIRONMENT=LIVE npm run tenant -- (move .*)$/gm),
].map(([, words]) => words ?? '');

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Creates two LIVE cells without servers. The first one, `eu01`, has two tenants with rows in every table. */
export async function startWorld() {
  process.env.ENVIRONMENT = 'LIVE';
  const [source, target] = [await ownDatabase(), await createDatabase()];
  const there = openPool(target.adminUrl);
  const claim = { environment: 'LIVE', secretKey: env().SECRET_KEY, cell: 'eu02' } as const;
  await Promise.all([fill(source), claimEnvironment(target.url, claim), keepAccount(there)]);
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'move-'));
  const directory = join(folder, 'cells.json');
  const cellAt = (port: number) => ({ origin: `https://${port}.example`, servers: [`127.0.0.1:${port}`] });
  const cells = { eu01: cellAt(3001), eu02: cellAt(3002) };
  await writeFile(directory, JSON.stringify({ home: 'eu01', cells, tenants: {} }));
  const settings = {
    ENVIRONMENT: 'LIVE',
    DATA_DIR: await freshDataDir(),
    SECRET_KEY: env().SECRET_KEY,
    DATABASE_URL: source.url,
    MIGRATION_DATABASE_URL: source.ownerUrl,
    TARGET_DATABASE_URL: target.ownerUrl,
    CELL: 'eu01',
  };
  const command = (text: string, more: Record<string, string>) => (tenantId: string, reload: string) => {
    const given: Record<string, string> = { 'cells.json': directory, './reload-proxy': reload };
    const words = text.split(' ').map((word) => given[word] ?? (word.startsWith('ten_') ? tenantId : word));
    return launch({ ...settings, ...more }, ['tenant', ...words]);
  };
  const world = { source, target, there, folder, directory, settings };
  return {
    ...world,
    /** Runs the documented command that moves a tenant. `reload` is the command that `--reload` runs. */
    move: (tenantId: string, { reload = 'true', ...more }: { reload?: string } & Record<string, string> = {}) =>
      command(MOVE, more)(tenantId, reload),
    abort: (tenantId: string) => command(ABORT, {})(tenantId, ''),
    tenants: async (): Promise<unknown> => JSON.parse(await readFile(directory, 'utf8')).tenants,
    stop: async () => {
      await there.end();
      await Promise.all([source.drop(), target.drop(), rm(folder, { recursive: true })]);
    },
  };
}

async function fill(source: OwnDatabase): Promise<void> {
  await fillTenants(source);
  await source.query(`UPDATE environment SET cell = 'eu01'`);
  await source.query(`UPDATE api_keys SET start = 'pbk_test_eu01' || right(id, 8)`);
  await source.query('UPDATE tenants SET name = $1 WHERE id = $2', [NAME, TENANT]);
}

/** Creates an account in the second cell before the move. The same person is a member of the tenant that moves. */
async function keepAccount(there: pg.Pool): Promise<void> {
  await there.query(
    `INSERT INTO users (id, email, name, password_hash, address_proven_at) VALUES ($1, $2, 'Kept', '$argon2id$v=19$', '2026-09-14T10:00Z')`,
    [SHARED_USER, `${SHARED_USER}@example.com`],
  );
}

type Queries = { query: (sql: string, values?: unknown[]) => Promise<pg.QueryResult> };

/** The columns whose values may differ between the two cells, by table. */
const DIFFERENT: Record<string, string[]> = {
  tenants: ['suspended_at', 'elsewhere_since'],
  deliveries: ['handed_at'],
  users: ['name', 'password_hash', 'created_at', 'updated_at'],
};

/** Returns all rows of a tenant by table, except the audit log entries of its moves. */
export async function contentOf(pool: Queries, tenantId: string): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const [table, rowsOf] of TENANT_TABLES) {
    const entries = table === 'audit_log' ? `AND action <> 'tenant.moved'` : '';
    const { rows } = await pool.query(
      `SELECT to_jsonb(t) - $1::text[] AS row FROM ${table} t WHERE ${rowsOf(pg.escapeLiteral(tenantId))} ${entries} ORDER BY 1`,
      [DIFFERENT[table] ?? []],
    );
    content[table] = rows.map(({ row }) => row);
  }
  return content;
}

/** Returns the tables that contain rows of a tenant, except the tables of accounts. */
export async function filledTables(pool: Queries, tenantId: string): Promise<string[]> {
  const content = Object.entries(await contentOf(pool, tenantId));
  return content.flatMap(([table, rows]) => (rows.length > 0 && !isAccountTable(table) ? [table] : []));
}

/** Returns in which cells a tenant is active. */
export async function activeIn({ source, there }: World, tenantId: string): Promise<string[]> {
  const active = 'SELECT FROM tenants WHERE id = $1 AND suspended_at IS NULL';
  const counts = [await source.query(active, [tenantId]), await there.query(active, [tenantId])];
  return ['eu01', 'eu02'].filter((_, index) => counts[index]?.rowCount === 1);
}

/** Returns the triggers and schemas that moves have left in the first cell. */
export async function leftOvers({ source }: World): Promise<unknown[]> {
  const { rows } = await source.query(
    `SELECT tgname AS name FROM pg_trigger WHERE tgname = 'tenant_move' UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'tenant_move'`,
  );
  return rows;
}

const SESSIONS = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND usename = '${OWNER}'`;

/** Runs statements in an open transaction. Returns a function that rolls it back. */
async function hold(url: string, ...statements: string[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN');
  for (const statement of statements) await client.query(statement);
  return () => client.end();
}

type Place = {
  /** Prepares the databases so that the command waits at one step. Returns a function that undoes the preparation. */
  stop: (world: World) => Promise<() => Promise<unknown>>;
  reload?: string;
  /** Resolves when the command has reached the step at which `stop` makes it wait. */
  reached: (world: World, command: Launch) => Promise<unknown>;
};

const waits = (pool: Queries) =>
  until(
    async () => (await pool.query(`${SESSIONS} AND wait_event_type = 'Lock'`)).rowCount,
    (count) => count === 1,
  );

const nothing = async () => async () => {};

/** The places at which tests kill the command. */
export const PLACES = {
  noting: {
    stop: ({ source }) => hold(source.adminUrl, 'LOCK TABLE audit_log IN ROW EXCLUSIVE MODE'),
    reached: ({ source }) =>
      until(
        async () => (await source.query(`SELECT FROM pg_trigger WHERE tgname = 'tenant_move'`)).rowCount ?? 0,
        (count) => count > 20,
      ),
  },
  copying: {
    stop: ({ target }) => hold(target.adminUrl, 'LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE'),
    reached: ({ there }) => waits(there),
  },
  switching: {
    stop: ({ source }) => hold(source.adminUrl, `SELECT pg_advisory_xact_lock_shared(${lockKey('tenant', TENANT)})`),
    reached: (_, command) => command.saying('the switch was undone'),
  },
  entering: {
    stop: ({ target }) =>
      hold(
        target.adminUrl,
        `INSERT INTO cache_versions (topic, id, version) VALUES ('catalog', '${TENANT}', gen_random_uuid())`,
      ),
    reached: async ({ source, there }) => {
      await waits(there);
      await until(
        async () => (await source.query('SELECT FROM tenants WHERE elsewhere_since IS NOT NULL')).rowCount,
        (count) => count === 1,
      );
    },
  },
  reloading: {
    stop: nothing,
    reload: 'echo reloading && sleep 60',
    reached: (_, command) => command.saying('reloading'),
  },
  settling: { stop: nothing, reached: (_, command) => command.saying('Waiting 12 s') },
} satisfies Record<string, Place>;

export type PlaceName = keyof typeof PLACES;

/**
 * Runs `move` until it has reached a place (see `PLACES`), and kills it with SIGKILL. Resolves when PostgreSQL has
 * closed the command's sessions.
 * @param meanwhile called before the kill.
 */
export async function killAt(
  world: World,
  name: PlaceName,
  tenantId: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const { stop, reload, reached }: Place = PLACES[name];
  const release = await stop(world);
  try {
    const command = world.move(tenantId, reload === undefined ? {} : { reload });
    await reached(world, command);
    await meanwhile();
    command.interrupt('SIGKILL');
    await command.ended();
    // The killed command's sessions in PostgreSQL must end even though they are waiting for a lock.
    for (const pool of [world.source, world.there])
      await until(
        async () => (await pool.query(SESSIONS)).rowCount,
        (count) => count === 0,
      );
  } finally {
    await release();
  }
}
