import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { makeMigration, migrationName } from '@/scripts/migration/make';
import { createEmptyDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';

/** Timeout in milliseconds of a test that runs the Prisma CLI several times on a busy machine. */
const TIMEOUT = 120_000;

let database: TestDatabase;
let copy: Upgraded;

beforeAll(async () => {
  database = await createEmptyDatabase();
  copy = await makeUpgraded();
  await rm(join(copy.root, 'prisma', 'migrations', UPGRADE), { recursive: true });
});

afterAll(async () => {
  await copy.remove();
  await database.drop();
});

const make = (name: string, at: string) => makeMigration(copy.root, name, new Date(at), database.adminUrl);

test(
  'a change of the schema becomes a migration that applies; without a change, none is written',
  async () => {
    const schema = join(copy.root, 'prisma', 'schema.prisma');
    const text = await readFile(schema, 'utf8');
    await writeFile(schema, text.replace('model Tenant {', 'model Tenant {\n  motto String?'));
    // Migrations run in the order of their names, and the newest migration has a date in the future. The next migration
    // therefore gets the time one second after that of the newest, not the current time.
    const newest = join(copy.root, 'prisma', 'migrations', '29990101082959_newest');
    await mkdir(newest);
    await writeFile(join(newest, 'migration.sql'), 'SELECT 1;\n');
    const made = await make('add_motto', '2026-01-01T08:30:00Z');
    expect(made).toBe('prisma/migrations/29990101083000_add_motto/migration.sql');
    expect(await readFile(join(copy.root, made ?? ''), 'utf8')).toContain('ALTER TABLE "tenants" ADD COLUMN');
    expect(await applyMigrations(database.ownerUrl, copy.root)).toContain('29990101083000_add_motto');
    const pool = openPool(database.ownerUrl);
    await pool.query('SELECT motto FROM tenants');
    await pool.end();
    expect(await make('nothing', '2999-01-01T08:31:00Z')).toBeNull();
    expect((await readdir(join(copy.root, 'prisma', 'migrations'))).filter((each) => each.includes('nothing'))).toEqual(
      [],
    );
  },
  TIMEOUT,
);

test(
  'an invalid schema is refused with the message of Prisma, and no migration is written',
  async () => {
    const schema = join(copy.root, 'prisma', 'schema.prisma');
    const text = await readFile(schema, 'utf8');
    await writeFile(schema, `${text}\nmodel Broken {`);
    await expect(make('broken', '2999-01-01T08:32:00Z')).rejects.toThrow(/schema/i);
    const file = join(copy.root, 'prisma', 'migrations', '29990101083200_broken', 'migration.sql');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
    await writeFile(schema, text);
  },
  TIMEOUT,
);

test('the name consists of the given words; a name without letters or digits is refused', () => {
  expect(migrationName('Add a-motto')).toBe('add_a_motto');
  for (const words of ['', '1st', '../x', 'é']) expect(() => migrationName(words)).toThrow('npm run migration --');
});
