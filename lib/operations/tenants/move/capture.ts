import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { lockKey } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { MOVED } from '@/lib/platform/write-transaction';
import { isAccountTable } from '../accounts';
import { isNoted, isRefused, type MovedTable, rowsOf } from './tables';

// While a tenant is being moved, triggers note which of its rows change. They store the primary keys in the schema
// `tenant_move` of the database that the tenant leaves. The role that owns this database creates the schema and removes
// it at the end of the move.

/** The name of the schema in which the triggers note changes. The triggers have this name too. */
const NAME = 'tenant_move';

/** Maximum milliseconds to wait for a lock on a table. During this wait, later writes to the table wait too. */
const LOCK_WAIT = 200;
/** Milliseconds between two attempts to lock a table. */
const LOCK_PAUSE = 500;
const LOCK_TRIES = 120;

/** SQLSTATE lock_not_available. */
const LOCKED = '55P03';

/** A move that has begun: its id, the tenant, and the id of the target cell. */
export type Move = { id: string; tenant_id: string; cell: string };

const SETUP = `
  CREATE SCHEMA IF NOT EXISTS ${NAME};
  CREATE TABLE IF NOT EXISTS ${NAME}.move (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton), id uuid NOT NULL, tenant_id text NOT NULL, cell text NOT NULL);
  CREATE TABLE IF NOT EXISTS ${NAME}.changes (
    table_name text NOT NULL, key jsonb NOT NULL, xid xid8 NOT NULL DEFAULT pg_current_xact_id())`;

/** Returns the unfinished move of a tenant from the cell of `source`, or null if there is none. */
export async function findMove(source: pg.Client): Promise<Move | null> {
  const { rows: found } = await source.query(`SELECT to_regclass('${NAME}.move') IS NOT NULL AS found`);
  if (!found[0]?.found) return null;
  return (await source.query<Move>(`SELECT id, tenant_id, cell FROM ${NAME}.move`)).rows[0] ?? null;
}

/**
 * SQL that returns a row while a move of the tenant $1 is not complete. The SQL looks for a trigger of the move,
 * because the servers' role can read PostgreSQL's system catalog, but not the schema of the move.
 */
export const MOVING = `
  SELECT 1 FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
  WHERE t.tgname = '${NAME}' AND t.tgrelid = 'tenants'::regclass AND position($1 IN p.prosrc) > 0`;

/** Begins a move. */
export async function beginMove(source: pg.Client, tenantId: string, cell: string): Promise<Move> {
  await source.query(`BEGIN; ${SETUP}`);
  const { rows } = await source.query<Move>(
    `INSERT INTO ${NAME}.move (id, tenant_id, cell) VALUES (gen_random_uuid(), $1, $2) RETURNING id, tenant_id, cell`,
    [tenantId, cell],
  );
  await source.query('COMMIT');
  const [move] = rows;
  if (!move) throw new Error('The move was not recorded.');
  return move;
}

/**
 * Creates the triggers that note changed rows, on the tables that do not have one yet. When this function returns, each
 * change by a later transaction is noted, and all earlier transactions that changed these tables have ended.
 * @throws StartError if a table's lock is not available for a minute.
 */
export async function noteChanges(source: pg.Client, tables: MovedTable[], tenantId: string): Promise<void> {
  const existing = await tablesWithTrigger(source);
  for (const table of tables) {
    if (!isNoted(table) || existing.has(table.name)) continue;
    await withShortLock(
      source,
      table.name,
      `
      ${noteFunction(table, tenantId)};
      CREATE TRIGGER ${NAME} AFTER INSERT OR UPDATE OR DELETE ON "${table.name}"
      FOR EACH ROW EXECUTE FUNCTION ${NAME}.note_${table.name}()`,
    );
  }
}

async function tablesWithTrigger(source: pg.Client): Promise<Set<string>> {
  const { rows } = await source.query<{ name: string }>(
    `SELECT relname AS name FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
     WHERE tgname = '${NAME}' AND relnamespace = current_schema()::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Removes the triggers that note changed rows. The record of the move remains. */
export async function stopNoting(source: pg.Client): Promise<void> {
  for (const name of await tablesWithTrigger(source))
    await withShortLock(source, name, `DROP TRIGGER IF EXISTS ${NAME} ON "${name}"`);
}

/** Removes the triggers, the changes that they recorded, and the record of the move. */
export async function endMove(source: pg.Client): Promise<void> {
  await stopNoting(source);
  await source.query(`DROP SCHEMA IF EXISTS ${NAME} CASCADE`);
}

/**
 * Runs a statement that locks a table. Requests wait behind each try, so a try waits at most `LOCK_WAIT` for the lock.
 * @throws StartError if other transactions use the table in all tries.
 */
async function withShortLock(source: pg.Client, table: string, sql: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await source.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_WAIT}; ${sql}; COMMIT`);
      return;
    } catch (error) {
      await source.query('ROLLBACK');
      if (!(error instanceof Error && 'code' in error && error.code === LOCKED)) throw error;
      if (tries >= LOCK_TRIES)
        throw new StartError(`The table ${table} is in use by a long transaction. Run the command again later.`);
      await delay(LOCK_PAUSE);
    }
  }
}

/**
 * Returns the SQL of a table's trigger function, which notes changed rows. The function takes the tenant's lock in
 * shared mode. `leaveSource` takes the same lock exclusively before it copies the last changes. It thus waits until
 * every transaction that has changed a row has ended, and no change is lost.
 */
function noteFunction(table: MovedTable, tenantId: string): string {
  const { name, key } = table;
  const tenant = pg.escapeLiteral(tenantId);
  const ours = isAccountTable(name) ? 'true' : rowsOf(table, tenant).replace(/^\w+/, 'noted.$&');
  const keyOf = (row: string) =>
    `jsonb_build_object(${key.map((column) => `'${column.name}', ${row}."${column.name}"`).join(', ')})`;
  const note = (row: string) => `INSERT INTO ${NAME}.changes (table_name, key) VALUES ('${name}', ${keyOf(row)});`;
  const refuse = `
    IF TG_OP <> 'DELETE' AND EXISTS (SELECT FROM tenants WHERE id = ${tenant} AND elsewhere_since IS NOT NULL) THEN
      RAISE EXCEPTION 'Another cell serves the tenant.' USING ERRCODE = '${MOVED}';
    END IF;`;
  return `
    CREATE OR REPLACE FUNCTION ${NAME}.note_${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $note$
    DECLARE noted "${name}"%ROWTYPE;
    BEGIN
      IF TG_OP = 'DELETE' THEN noted := OLD; ELSE noted := NEW; END IF;
      IF NOT (${ours}) THEN RETURN NULL; END IF;
      PERFORM pg_advisory_xact_lock_shared(${lockKey('tenant', tenantId)});
      ${isRefused(table) ? refuse : ''}
      ${note('noted')}
      IF TG_OP = 'UPDATE' AND ${keyOf('OLD')} <> ${keyOf('NEW')} THEN ${note('OLD')} END IF;
      ${name === 'memberships' ? NOTE_ACCOUNT : ''}
      RETURN NULL;
    END $note$`;
}

// Records the account of a new member, as part of the trigger of the table `memberships`. If the account existed before
// the membership, the triggers of the accounts' tables have not recorded it.
const NOTE_ACCOUNT = `
  INSERT INTO ${NAME}.changes (table_name, key)
  SELECT 'users', jsonb_build_object('id', noted.user_id)
  UNION ALL SELECT 'totp_factors', jsonb_build_object('user_id', noted.user_id)
  UNION ALL SELECT 'passkeys', jsonb_build_object('id', id) FROM passkeys WHERE user_id = noted.user_id
  UNION ALL SELECT 'recovery_codes', jsonb_build_object('user_id', user_id, 'code_hash', code_hash)
    FROM recovery_codes WHERE user_id = noted.user_id;`;

/**
 * Returns the number of changes that the triggers noted for each table, by the table's name. Omits tables without
 * changes.
 */
export async function changedTables(source: pg.Client): Promise<Map<string, number>> {
  const { rows } = await source.query<{ name: string; count: number }>(
    `SELECT table_name AS name, count(*)::int AS count FROM ${NAME}.changes GROUP BY 1`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Returns SQL that selects the key of each changed row of a table, without duplicates. */
export const changedKeys = (name: string) => `SELECT DISTINCT key FROM ${NAME}.changes WHERE table_name = '${name}'`;

/**
 * Deletes what the triggers noted about changes that are visible in a PostgreSQL snapshot. Call this function after
 * these changes have been copied.
 */
export async function forgetChanges(source: pg.Client, snapshot: string): Promise<void> {
  await source.query(`DELETE FROM ${NAME}.changes WHERE pg_visible_in_snapshot(xid, $1::pg_snapshot)`, [snapshot]);
}
