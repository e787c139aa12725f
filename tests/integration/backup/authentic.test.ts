import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '@/lib/operations/backup/dump';
import { loadBackup, verifyBackup } from '@/lib/operations/backup/load';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { newId } from '@/lib/platform/ids';
import { MIGRATION_LOCK } from '@/lib/platform/locks';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { modifiedBackup } from './resign';
import { definitionsIn, filledTables, hashRows } from './rows';

const claim = { environment: 'TEST', secretKey: 'a secret of this test, never deployed' } as const;
const { signal } = new AbortController();

let source: TestDatabase;
let directory = '';
let file = '';

beforeAll(async () => {
  source = await createDatabase();
  directory = await mkdtemp(join(tmpdir(), 'backup-'));
  file = join(directory, 'backup.gz');
  await claimEnvironment(source.url, claim);
  const pool = openPool(source.url);
  const user = [newId('usr'), 'a@b.example', 'A', '$argon2id$the hash'];
  await pool.query('INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)', user);
  await pool.end();
  await writeBackup(source.ownerUrl, file, claim, signal);
});

afterAll(async () => {
  await source.drop();
  await rm(directory, { recursive: true });
});

async function modified(change: (text: string) => string, secretKey: string | null): Promise<string> {
  const path = join(directory, 'modified.gz');
  await writeFile(path, await modifiedBackup(file, change, secretKey));
  return path;
}

const DAMAGED = /is damaged or is not a backup of this system\.$/;

const CHANGES: [string, (text: string) => string][] = [
  ['an edited password hash', (text) => text.replace('the hash', 'my hash')],
  ['a changed time', (text) => text.replace(/"created_at":"2/, '"created_at":"3')],
  ['a row less and a count that fits', (text) => text.replace(/^usr_\w+\t.*\n/m, '').replace('"users":1', '"users":0')],
  ['no HMAC', (text) => text.replace(/^-- hmac .*\n/m, '')],
  ['a line after the HMAC', (text) => `${text}\n`],
  ['another HMAC', (text) => text.replace(/^-- hmac ./m, '-- hmac x')],
];

test.each(CHANGES)('a restore refuses a backup with %s before it opens the database', async (_, change) => {
  await expect(verifyBackup(file, claim)).resolves.toBeUndefined();
  await expect(verifyBackup(await modified(change, null), claim)).rejects.toThrow(DAMAGED);
});

test('a restore refuses a backup of a version without HMAC, and names the version to use', async () => {
  const path = await modified((text) => text.replace('"format":2', '"format":1').replace(/^-- hmac .*\n/m, ''), null);
  await expect(verifyBackup(path, claim)).rejects.toThrow(/restore it with that version, then start this version\.$/);
});

test('a restore refuses a file with a line of unlimited length', async () => {
  const path = join(directory, 'line.gz');
  await writeFile(path, gzipSync(Buffer.alloc(17 * 1024 * 1024, 'a'), { level: 1 }));
  await expect(verifyBackup(path, claim)).rejects.toThrow(/ has a line of more than 16 MiB, so it is damaged or /);
});

const SECTIONS: [string, (text: string) => string][] = [
  ['an edited row, changed since it was verified', (text) => text.replace('the hash', 'my hash')],
  [
    'a table of the system',
    (text) =>
      text.replace(
        /^-- end \{/m,
        'COPY "pg_authid" ("oid", "rolname", "rolsuper") FROM STDIN;\n99999\tevil\tt\n\\.\n-- end {"pg_authid":1,',
      ),
  ],
  ['an unknown column', (text) => text.replace('COPY "users" ("id"', 'COPY "users" ("ctid"')],
];

test.each(SECTIONS)('nothing is restored from a backup with %s', async (what, change) => {
  const path = await modified(change, what.includes('verified') ? null : claim.secretKey);
  const target = await createDatabase();
  await expect(loadBackup(target.ownerUrl, path, claim, signal)).rejects.toThrow(DAMAGED);
  expect(await filledTables(target.url)).toEqual([]);
  await target.drop();
});

test('the unchanged backup is restored completely, with indexes that are created after the rows', async () => {
  const target = await createDatabase();
  const before = await definitionsIn(target.url);
  const { counts } = await loadBackup(target.ownerUrl, file, claim, signal);
  expect(counts.users).toBe(1);
  expect(await hashRows(target.url)).toEqual(await hashRows(source.url));
  const { definitions, incomplete } = await definitionsIn(target.url);
  const withoutOid = (all: typeof definitions) => all.map(({ name, definition }) => ({ name, definition }));
  expect(withoutOid(definitions)).toEqual(withoutOid(before.definitions));
  expect(incomplete).toEqual([]);
  const oids = new Set(before.definitions.map(({ oid }) => oid));
  const recreated = definitions.filter(
    ({ name, definition }) =>
      !/rate_limits|_prisma_migrations/.test(name) && !/^(CHECK|NOT NULL|TRIGGER)/.test(definition),
  );
  expect(recreated.length).toBeGreaterThan(100);
  expect(recreated.filter(({ oid }) => oids.has(oid))).toEqual([]);
  await target.drop();
});

test('tables that do not belong to the system are named, and neither read nor restored', async () => {
  const pool = openPool(source.adminUrl);
  await pool.query(`CREATE TABLE "Notes-1" ("a b" int); INSERT INTO "Notes-1" VALUES (1);
    CREATE FOREIGN DATA WRAPPER nowhere; CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
    CREATE FOREIGN TABLE elsewhere (x int) SERVER nowhere`);
  await pool.end();
  const path = join(directory, 'others.gz');
  const { counts, others } = await writeBackup(source.ownerUrl, path, claim, signal);
  expect(others).toEqual(['Notes-1', 'elsewhere']);
  const target = await createDatabase();
  await verifyBackup(path, claim);
  expect((await loadBackup(target.ownerUrl, path, claim, signal)).counts).toEqual(counts);
  expect(Object.keys(counts).sort()).toEqual(Object.keys(await hashRows(target.url)).sort());
  await target.drop();
});

test('a database of a newer version is refused, because its new tables would be missing', async () => {
  const owner = openPool(source.ownerUrl, 1);
  const later = `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '2999_later', now())`;
  await owner.query(later);
  const path = join(directory, 'later.gz');
  await expect(writeBackup(source.ownerUrl, path, claim, signal)).rejects.toThrow(
    'This database belongs to a newer version, which has added the migration 2999_later. Use that version.',
  );
  expect(await readdir(directory)).not.toContain('later.gz');
  await owner.query(`DELETE FROM _prisma_migrations WHERE migration_name = '2999_later'`);
  await owner.end();
});

test('a backup and a restore wait for a running migration, say so, and give up', async () => {
  const migration = openPool(source.ownerUrl, 1);
  const { rows } = await migration.query('SELECT pg_backend_pid() AS pid, pg_advisory_lock($1)', [MIGRATION_LOCK]);
  const holder = `PostgreSQL process ${rows[0].pid} (connected from 127.0.0.1)`;
  const said: string[] = [];
  const waiting = { say: (line: string) => said.push(line), wait: 100 };
  const held = `after 100 milliseconds, the migration lock is still held by ${holder}.`;
  const backup = writeBackup(source.ownerUrl, join(directory, 'late.gz'), claim, signal, waiting);
  await expect(backup).rejects.toThrow(`The backup was not made: ${held}`);
  const restore = loadBackup(source.ownerUrl, file, claim, signal, waiting);
  await expect(restore).rejects.toThrow(`The backup was not restored: ${held}`);
  const wait = `Waiting for a migration, backup, or restore by ${holder} …`;
  expect(said).toEqual([wait, wait]);
  await migration.end();
});
