import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EnvironmentError } from '@/lib/operations/environment/connection';
import { applyMigrations, requirePostgres } from '@/lib/operations/environment/migrations';
import { makeMigration, migrationName } from '@/scripts/migration/make';
import { createDatabase, createEmptyDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { SOAK } from '@/tests/support/soak';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';

let database: TestDatabase;
let copy: Upgraded;
/** The database's URL with a superuser of this file. Other files of the run create shadow databases as other roles. */
let url: URL;

beforeAll(async () => {
  database = await createEmptyDatabase();
  url = Object.assign(new URL(database.adminUrl), { username: nameOf(database), password: randomUUID() });
  await asAdmin(`CREATE ROLE "${url.username}" SUPERUSER LOGIN PASSWORD '${url.password}'`);
  copy = await makeUpgraded();
  await rm(join(copy.root, 'prisma/migrations', UPGRADE), { recursive: true });
});

afterAll(async () => {
  await asAdmin(`DROP ROLE "${url.username}"`);
  await database.drop();
  await copy.remove();
});

const nameOf = ({ adminUrl }: TestDatabase) => new URL(adminUrl).pathname.slice(1);

async function asAdmin(sql: string) {
  const pool = openPool(database.adminUrl, 1);
  return pool.query(sql).finally(() => pool.end());
}

/** Runs the Prisma CLI without downloading engines. Resolves with its exit code and output. */
async function prisma(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: url.href, PRISMA_ENGINES_MIRROR: 'http://127.0.0.1:9' };
  const cli = ['node_modules/prisma/build/index.js', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, cli, { env, cwd: copy.root }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const make = (name: string, at: string) => makeMigration(copy.root, name, new Date(at), url.href);

const migrations = async () =>
  (await readdir(join(copy.root, 'prisma/migrations'), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

describe('the schema', () => {
  if (SOAK) {
    test('without a change becomes no migration', async () => {
      const before = await migrations();
      expect(await make('nothing', '2999-01-01T08:31:00Z')).toBeNull();
      expect(await migrations()).toEqual(before);
    });
  }

  test('matches the migrations except for a change, which becomes one, and no shadow database remains', async () => {
    const schema = join(copy.root, 'prisma/schema.prisma');
    const text = await readFile(schema, 'utf8');
    await writeFile(schema, text.replace('model Tenant {', 'model Tenant {\n  motto String?'));
    // Migrations run in the order of their names, and the newest migration has a date in the future. The next migration
    // therefore gets the time one second after that of the newest, not the current time.
    const newest = join(copy.root, 'prisma/migrations/29990101082959_newest');
    await mkdir(newest);
    await writeFile(join(newest, 'migration.sql'), 'SELECT 1;\n');
    const made = await make('add_motto', '2026-01-01T08:30:00Z');
    expect(made).toBe('prisma/migrations/29990101083000_add_motto/migration.sql');
    const sql = await readFile(join(copy.root, made ?? ''), 'utf8');
    expect(sql.replaceAll(/^--.*/gm, '').trim()).toMatch(/^ALTER TABLE "tenants" ADD COLUMN\s+"motto" TEXT;$/);
    const owned = `SELECT FROM pg_database WHERE pg_get_userbyid(datdba) = '${url.username}'`;
    expect((await asAdmin(owned)).rowCount).toBe(0);
  });

  if (SOAK) {
    test('if it is invalid, is refused with the message of Prisma, and no migration is written', async () => {
      const schema = join(copy.root, 'prisma/schema.prisma');
      const text = await readFile(schema, 'utf8');
      const before = await migrations();
      await writeFile(schema, `${text}\nmodel Broken {`);
      await expect(make('broken', '2999-01-01T08:32:00Z')).rejects.toThrow(/schema/i);
      expect(await migrations()).toEqual(before);
      await writeFile(schema, text);
    });
  }

  test('gives a migration the given words as its name; a name without letters or digits is refused', () => {
    expect(migrationName('Add a-motto')).toBe('add_a_motto');
    for (const words of ['', '1st', '../x', 'é']) expect(() => migrationName(words)).toThrow('npm run migration --');
  });

  test('documents every model and enum', async () => {
    const text = await readFile('prisma/schema.prisma', 'utf8');
    const silent = [...text.matchAll(/^(.*)\n(?:model|enum) (\w+)/gm)].filter(
      ([, before]) => !before?.startsWith('///'),
    );
    expect(silent.map(([, , name]) => name)).toEqual([]);
  });
});

describe('applyMigrations', () => {
  test('concurrent calls apply every migration once; later calls have nothing to do', async () => {
    const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(database.ownerUrl, copy.root)));
    expect(applied.flat().sort()).toEqual(await migrations());
    await asAdmin('SELECT motto FROM tenants');
    expect(await applyMigrations(database.ownerUrl, copy.root)).toEqual([]);
    if (SOAK) expect(await prisma('migrate', 'status')).toMatchObject({ code: 0 });
  });

  test('the baseline is marked in a database with all migrations of 0.1.0, and not in one with only some', async () => {
    const { ownerUrl, drop } = await createDatabase();
    const pool = openPool(ownerUrl, 1);
    const later = (await pool.query(`DELETE FROM _prisma_migrations RETURNING migration_name`)).rows.map(
      ({ migration_name }) => String(migration_name),
    );
    const replaced = (await readFile(new URL('migrations-of-0.1.0.txt', import.meta.url), 'utf8')).trim().split('\n');
    const apply = (names: string[]) =>
      pool.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
         SELECT gen_random_uuid()::text, '', name, now() FROM unnest($1::text[]) AS name`,
        [names],
      );
    await apply(replaced.slice(1));
    await expect(applyMigrations(ownerUrl)).rejects.toThrow(
      'This database belongs to an early state of version 0.1.0. Migrate it with the last version 0.1.0, and then with this version.',
    );
    await apply([...replaced.slice(0, 1), ...later.filter((name) => !name.endsWith('_baseline'))]);
    expect(await applyMigrations(ownerUrl)).toEqual([]);
    const { rows } = await pool.query(`SELECT migration_name FROM _prisma_migrations ORDER BY migration_name`);
    expect(rows.map(({ migration_name }) => migration_name)).toEqual(later.sort());
    await pool.end();
    await drop();
  });

  test('a failed migration is rolled back and reports its error', async () => {
    const broken = await createEmptyDatabase();
    const pool = openPool(broken.ownerUrl);
    // Creates a type that the second statement of the migration also creates. The migration then fails after its first
    // statement has succeeded.
    await pool.query(`CREATE TYPE "ResetPolicy" AS ENUM ('NEVER')`);
    const failure = await applyMigrations(broken.ownerUrl).catch((error: unknown) => error);
    const types = await pool.query(`SELECT FROM pg_type WHERE typname = 'BookingSource'`);
    await pool.end();
    await broken.drop();
    expect(failure).toBeInstanceOf(EnvironmentError);
    expect(String(failure)).toBe(
      'Error: The database could not be migrated because 20261202160000_baseline failed:\ntype "ResetPolicy" already exists',
    );
    expect(types.rowCount).toBe(0);
  });

  test('an unreachable database is reported in one sentence without the password', async () => {
    const url = new URL(database.ownerUrl);
    url.password = 'hush';
    url.port = '9';
    const failure = await applyMigrations(url.href).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/^Error: The database cannot be reached: .*ECONNREFUSED.*\.$/);
    expect(String(failure)).not.toContain('hush');
  });

  test('PostgreSQL older than 15 is refused', () => {
    expect(() => requirePostgres(149_999, '14.99')).toThrow(
      'PostgreSQL 15 or newer is required, but this server is 14.99.',
    );
    expect(() => requirePostgres(150_000, '15.0')).not.toThrow();
  });
});
