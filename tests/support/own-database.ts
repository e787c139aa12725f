import pg from 'pg';
import { closeDb } from '@/lib/platform/db';
import { adminUrl, createDatabase, openPool, type TestUrls } from './database';
import { changeSettings } from './fresh-process';

/** The factories and domain functions that the file calls use it. */
export type OwnDatabase = TestUrls & {
  /** As a superuser. */
  query: (sql: string, values?: unknown[]) => Promise<pg.QueryResult>;
  /** Deletes all tenants with all their rows. Without many rows, this takes a fraction of the time of a TRUNCATE. */
  clear: () => Promise<void>;
  /** As if the database were down. */
  shut: () => Promise<void>;
  open: () => Promise<void>;
  drop: () => Promise<void>;
};

// The tables that refer to tenants, also through other tables. The statements run without triggers, and thus in any order.
const DELETE_TENANTS = `
  WITH RECURSIVE tables (oid) AS (
    SELECT 'tenants'::regclass::oid
    UNION SELECT conrelid FROM pg_constraint JOIN tables ON confrelid = tables.oid WHERE contype = 'f')
  SELECT string_agg('DELETE FROM ' || oid::regclass, '; ') AS sql FROM tables JOIN pg_class USING (oid)
  WHERE NOT relispartition`;

/** Call this before any other use of a database, because it drops the connections to it. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const database = await createDatabase();
  // Broken connections would log many errors.
  changeSettings({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
  const name = pg.escapeIdentifier(new URL(database.url).pathname.slice(1));
  const superuser = openPool(database.adminUrl);
  return {
    ...database,
    query: (sql, values) => superuser.query(sql, values),
    clear: async () => {
      const { rows } = await superuser.query<{ sql: string }>(DELETE_TENANTS);
      await superuser.query(`BEGIN; SET LOCAL session_replication_role = replica; ${rows[0]?.sql}; COMMIT`);
    },
    shut: () =>
      asAdmin(async (admin) => {
        await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
        const all = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1';
        await admin.query(all, [new URL(database.url).pathname.slice(1)]);
      }),
    open: () => asAdmin((admin) => admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)),
    drop: async () => {
      await Promise.all([closeDb(), superuser.end()]);
      await database.drop();
    },
  };
}

async function asAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
