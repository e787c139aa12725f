import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '@/lib/operations/environment/connection';
import {
  grantServer,
  mayMigrate,
  missingGrants,
  requireGrants,
  requireOneDatabase,
} from '@/lib/operations/environment/grants';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { OWNER, SERVER } from '@/lib/platform/postgres/roles';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { makeUpgraded, UPGRADE } from '@/tests/support/upgraded';

// All other tests connect with the servers' role. They prove that this role has the rights that it needs. The tests in
// this file prove that it has no other rights.
let database: TestDatabase;
let server: pg.Pool;
let owner: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  server = openPool(database.url, 2);
  owner = openPool(database.ownerUrl, 1);
});

afterAll(async () => {
  await Promise.all([server.end(), owner.end()]);
  await database.drop();
});

/** The SQLSTATE insufficient_privilege. */
const DENIED = { code: '42501' };

describe('the role of the servers', () => {
  test.each([
    'CREATE TABLE other (id int)',
    'CREATE TEMPORARY TABLE other (id int)',
    'CREATE SCHEMA other',
    'CREATE DATABASE other',
    'DROP EXTENSION btree_gist',
    `CREATE FUNCTION other() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    'CREATE INDEX ON tenants (name)',
    'CREATE TRIGGER other BEFORE INSERT ON tenants FOR EACH ROW EXECUTE FUNCTION erase_phone_hash()',
    'ALTER TABLE tenants ADD COLUMN other text',
    'ALTER TABLE bookings DISABLE TRIGGER ALL',
    'ALTER TABLE request_log DETACH PARTITION request_log_default',
    'ALTER TABLE tenants DISABLE ROW LEVEL SECURITY',
    `ALTER TABLE tenants OWNER TO ${SERVER}`,
    'DROP TABLE audit_log',
    'DROP FUNCTION drop_detached_request_log()',
    'ALTER FUNCTION drop_detached_request_log() RESET ALL',
    'TRUNCATE audit_log',
    'SELECT FROM _prisma_migrations FOR UPDATE',
    'UPDATE _prisma_migrations SET finished_at = NULL',
    'DELETE FROM _prisma_migrations',
    'SELECT FROM request_log_default',
    'DELETE FROM request_log_default',
    `SET ROLE ${OWNER}`,
    `SET SESSION AUTHORIZATION ${OWNER}`,
    'SET session_replication_role = replica',
    `ALTER ROLE ${SERVER} SUPERUSER`,
    `ALTER ROLE ${SERVER} BYPASSRLS`,
    `ALTER ROLE ${OWNER} PASSWORD 'another'`,
    `GRANT ${OWNER} TO ${SERVER}`,
    'ALTER SYSTEM SET fsync = off',
    `COPY tenants TO '/tmp/tenants'`,
    `COPY tenants TO PROGRAM 'cat'`,
    `SELECT pg_read_file('postgresql.conf')`,
    'SELECT FROM pg_authid',
    'CREATE ROLE other',
  ])('may not: %s', async (sql) => {
    await expect(server.query(sql)).rejects.toMatchObject(DENIED);
  });

  test('cannot grant itself a privilege', async () => {
    // The GRANT has no effect. PostgreSQL reports this with a warning, not with an error.
    await server.query(`GRANT TRUNCATE, TRIGGER ON audit_log TO ${SERVER}`);
    await expect(server.query('TRUNCATE audit_log')).rejects.toMatchObject(DENIED);
  });

  test('owns nothing, is no member of another role, and has no attribute but LOGIN', async () => {
    const { rows } = await server.query(`
      SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = pg_roles.oid AND deptype = 'o') AS owned,
        (SELECT count(*)::int FROM pg_auth_members WHERE member = pg_roles.oid) AS memberships
      FROM pg_roles WHERE rolname = current_user`);
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
        owned: 0,
        memberships: 0,
      },
    ]);
  });

  test('cannot use the functions for partitions on another table or day', async () => {
    for (const day of [`'infinity'`, `'0001-01-01'`, `'10000-01-01'`, 'NULL'])
      await expect(server.query(`SELECT create_request_log_partition(${day})`)).rejects.toMatchObject({
        code: '22023',
      });
    for (const name of [
      'tenants',
      'request_log',
      'request_log_default',
      'audit_log; DROP TABLE tenants',
      '"x"',
      null,
    ]) {
      const { rows } = await server.query('SELECT detach_request_log_partition($1) AS detached', [name]);
      expect(rows).toEqual([{ detached: false }]);
    }
    const { rows } = await server.query('SELECT drop_detached_request_log() AS dropped');
    expect(rows).toEqual([{ dropped: false }]);
    const { rows: functions } = await server.query(`
      SELECT proname AS name, proconfig AS settings, has_function_privilege('public', oid, 'EXECUTE') AS public
      FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1`);
    const search = ['search_path=public, pg_temp'];
    expect(functions).toEqual(
      [
        'create_request_log_partition',
        'detach_request_log_partition',
        'drop_detached_request_log',
        'refuse_early_deletion',
        'refuse_hidden_deletion',
        'refuse_unaudited_retention',
      ].map((name) => ({
        name,
        settings: search,
        public: false,
      })),
    );
  });
});

test('a table of a later migration can be used after the migration, and only used', async () => {
  const upgraded = await makeUpgraded();
  await upgraded.write(`
    CREATE TABLE later (id int PRIMARY KEY, counter serial);
    CREATE FUNCTION later_function() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
    REVOKE ALL ON FUNCTION later_function() FROM PUBLIC;
    CREATE TABLE later_by_day (at int PRIMARY KEY) PARTITION BY RANGE (at);
    CREATE TABLE later_by_day_1 PARTITION OF later_by_day FOR VALUES FROM (1) TO (2)`);
  expect(await applyMigrations(database.ownerUrl, upgraded.root)).toEqual([UPGRADE]);
  await upgraded.remove();
  await expect(server.query('SELECT FROM later')).rejects.toMatchObject(DENIED);
  await expect(withClient(database.url, requireGrants)).rejects.toThrow(
    `The role ${SERVER} lacks privileges that a server needs. Run npm run migrate first`,
  );
  // Several processes can grant the rights at the same time.
  await Promise.all([1, 2, 3].map(() => grantServer(database.ownerUrl, database.url)));
  expect(await withClient(database.ownerUrl, (client) => missingGrants(client, SERVER))).toEqual([]);
  await withClient(database.url, requireGrants);
  await server.query(`INSERT INTO later VALUES (1); UPDATE later SET id = 2; DELETE FROM later;
    INSERT INTO later_by_day VALUES (1); SELECT later_function()`);
  for (const sql of ['TRUNCATE later', 'DROP TABLE later', 'SELECT FROM later_by_day_1'])
    await expect(server.query(sql)).rejects.toMatchObject(DENIED);
});

test('a table of another program is not granted', async () => {
  const admin = openPool(database.adminUrl, 1);
  await admin.query('CREATE TABLE foreign_program (id int)');
  await grantServer(database.ownerUrl, database.url);
  await expect(server.query('SELECT FROM foreign_program')).rejects.toMatchObject(DENIED);
  await admin.query('DROP TABLE foreign_program');
  await admin.end();
});

test('only the role that owns the database may migrate, and both URLs must lead to the same database', async () => {
  const migrates = (url: string) => withClient(url, mayMigrate);
  expect([await migrates(database.url), await migrates(database.ownerUrl)]).toEqual([false, true]);
  const other = await createDatabase();
  await requireOneDatabase(database.ownerUrl, database.url);
  await expect(requireOneDatabase(database.ownerUrl, other.url)).rejects.toThrow(
    'DATABASE_URL and MIGRATION_DATABASE_URL lead to different databases.',
  );
  await other.drop();
});
