import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EnvironmentError } from '@/lib/operations/environment/connection';
import { applyMigrations, requirePostgres } from '@/lib/operations/environment/migrations';
import { createDatabase, createEmptyDatabase, openPool, type TestDatabase } from '@/tests/support/database';

let database: TestDatabase;
let directory: string;
/** The database's URL with a superuser of this file. Other files of the run create shadow databases as other roles. */
let url: URL;

beforeAll(async () => {
  database = await createEmptyDatabase();
  url = Object.assign(new URL(database.adminUrl), { username: nameOf(database), password: randomUUID() });
  await asAdmin(`CREATE ROLE "${url.username}" SUPERUSER LOGIN PASSWORD '${url.password}'`);
  directory = await mkdtemp(join(tmpdir(), 'schema-'));
});

afterAll(async () => {
  await asAdmin(`DROP ROLE "${url.username}"`);
  await database.drop();
  await rm(directory, { recursive: true });
});

const nameOf = ({ adminUrl }: TestDatabase) => new URL(adminUrl).pathname.slice(1);

async function asAdmin(sql: string) {
  const pool = openPool(database.adminUrl, 1);
  return pool.query(sql).finally(() => pool.end());
}

/** Runs the Prisma CLI without downloading engines. Resolves with its exit code and output. */
async function prisma(...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: url.href, PRISMA_ENGINES_MIRROR: 'http://127.0.0.1:9' };
  return new Promise((resolve) => {
    execFile(process.execPath, ['node_modules/prisma/build/index.js', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const differences = (schema: string) =>
  prisma('migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', schema, '--exit-code');

describe('the schema', () => {
  test('matches the migrations', async () => {
    expect(await differences('prisma/schema.prisma')).toMatchObject({ code: 0 });
  });

  test('is reported when it differs, and no shadow database remains', async () => {
    const schema = join(directory, 'schema.prisma');
    const text = await readFile('prisma/schema.prisma', 'utf8');
    await writeFile(schema, text.replace('model Tenant {', 'model Tenant {\n  motto String?'));
    const { code, output } = await differences(schema);
    expect(output).toContain('motto');
    expect(code).toBe(2);
    expect((await asAdmin(`SELECT FROM pg_database WHERE pg_get_userbyid(datdba) = '${url.username}'`)).rowCount).toBe(
      0,
    );
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
    const names = (await readdir('prisma/migrations', { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(database.ownerUrl)));
    expect(applied.flat().sort()).toEqual(names.sort());
    expect(await applyMigrations(database.ownerUrl)).toEqual([]);
    expect(await prisma('migrate', 'status')).toMatchObject({ code: 0 });
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
