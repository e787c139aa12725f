import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordBackup, recordDrill } from '@/lib/operations/backup/age';
import { drillBackup } from '@/lib/operations/backup/drill';
import { writeBackup } from '@/lib/operations/backup/dump';
import { loadBackup, verifyBackup } from '@/lib/operations/backup/load';
import { withScratchDatabase } from '@/lib/operations/backup/scratch';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { newId } from '@/lib/platform/ids';
import { MIGRATION_LOCK } from '@/lib/platform/locks';
import { placeIn, sealingKey, sealWith } from '@/lib/platform/secrets';
import { createDatabase, openPool, type TestDatabase, withSuperuser } from '@/tests/support/database';
import { modifiedBackup } from './resign';
import { definitionsIn, filledTables, hashRows } from './rows';

const claim = { environment: 'TEST', secretKey: 'a secret of this test, never deployed' } as const;
const { signal } = new AbortController();

let source: TestDatabase;
/** Of all restores, because a refused one leaves nothing. */
let target: TestDatabase;
let directory = '';
let file = '';

beforeAll(async () => {
  [source, target] = await Promise.all([createDatabase(), createDatabase()]);
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
  await Promise.all([source.drop(), target.drop()]);
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

const SECTIONS: [string, (text: string) => string, object?][] = [
  ['an edited row, changed since it was verified', (text) => text.replace('the hash', 'my hash')],
  [
    'a row twice',
    (text) => text.replace(/^(usr_\w+\t.*\n)/m, '$1$1').replace('"users":1', '"users":2'),
    { code: '23505' },
  ],
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

test.each(SECTIONS)('nothing is restored from a backup with %s', async (what, change, error) => {
  const path = await modified(change, what.includes('verified') ? null : claim.secretKey);
  const refused = error ?? { message: expect.stringMatching(DAMAGED) };
  await expect(loadBackup(target.ownerUrl, path, claim, signal)).rejects.toMatchObject(refused);
  expect(await filledTables(target.url)).toEqual([]);
});

test('the unchanged backup is restored completely, with indexes that are created after the rows', async () => {
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
});

test('tables that do not belong to the system are named, and neither read nor restored', async () => {
  const pool = openPool(source.adminUrl);
  await pool.query(`CREATE TABLE "Notes-1" ("a b" int); INSERT INTO "Notes-1" VALUES (1);
    CREATE FOREIGN DATA WRAPPER nowhere; CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
    CREATE FOREIGN TABLE elsewhere (x int) SERVER nowhere`);
  const path = join(directory, 'others.gz');
  const { counts, others } = await writeBackup(source.ownerUrl, path, claim, signal);
  expect(others).toEqual(['Notes-1', 'elsewhere']);
  await pool.query('DROP TABLE "Notes-1"; DROP FOREIGN DATA WRAPPER nowhere CASCADE');
  await pool.end();
  await verifyBackup(path, claim);
  expect(Object.keys(counts).sort()).toEqual(Object.keys(await hashRows(target.url)).sort());
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

/** The database of drills. */
let scratch = '';

beforeAll(() => {
  scratch = `${new URL(source.url).pathname.slice(1)}_drill`;
});

const exists = () =>
  withSuperuser(async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [scratch]);
    return rowCount === 1;
  });

const ask = (sql: string) => withSuperuser((client) => client.query(sql));

test('a drill restores into a database of its own, opens what is encrypted, and leaves nothing', async () => {
  const drill = () => drillBackup(source.ownerUrl, file, claim, signal);
  await ask(`CREATE DATABASE "${scratch}" OWNER "${new URL(source.ownerUrl).username}"`);
  await expect(drill()).rejects.toThrow(`The database ${scratch} exists, and no drill has created it.`);
  expect(await exists()).toBe(true);
  // As if a killed drill had left it.
  await ask(`COMMENT ON DATABASE "${scratch}" IS 'Scratch database of npm run drill'`);
  const before = await hashRows(source.url);
  const { counts, opened, seconds, createdAt } = await drill();
  expect(counts).toMatchObject({ users: 1, environment: 1 });
  // The keys for stored hashes.
  expect(opened).toBe(1);
  expect(seconds).toBeGreaterThan(0);
  expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(600_000);
  expect([await exists(), await hashRows(source.url)]).toEqual([false, before]);
});

test('a drill fails for a backup that a restore would refuse, and for a value that the secrets do not open', async () => {
  const changed = (change: (text: string) => string) => modified(change, claim.secretKey);
  const drill = async (path: string) => drillBackup(source.ownerUrl, path, claim, signal);
  await expect(drill(await changed((text) => text.replace('"users":1', '"users":2')))).rejects.toThrow(/ is damaged /);
  const other = sealWith(
    sealingKey('another secret of this test, never used', 'TEST'),
    '{}',
    placeIn('environment.hash_keys', true),
  );
  const sealed = await changed((text) => text.replace(/\\\\x[0-9a-f]{100,}/, `\\\\x${other.toString('hex')}`));
  await expect(drill(sealed)).rejects.toThrow(/^A value of environment\.hash_keys cannot be decrypted\./);
  expect(await exists()).toBe(false);
});

test('only one drill runs, only the owner may connect to its database, and an abort drops it', async () => {
  const controller = new AbortController();
  let entered = (_url: string) => {};
  const inside = new Promise<string>((resolve) => {
    entered = resolve;
  });
  const running = withScratchDatabase(source.ownerUrl, controller.signal, async (url) => {
    entered(url);
    await new Promise(() => {});
  });
  const url = new URL(await inside);
  expect(url.pathname).toBe(`/${scratch}`);
  await expect(drillBackup(source.ownerUrl, file, claim, signal)).rejects.toThrow(/^Another drill is running\./);
  const { username, password } = new URL(source.url);
  const pool = openPool(Object.assign(new URL(url), { username, password }).href, 1);
  await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '42501' });
  await pool.end();
  controller.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
  expect(await exists()).toBe(false);
});

test('a wrong clock does not make a backup or a drill the newest for years', async () => {
  const pool = openPool(source.ownerUrl, 1);
  const hours = async () => {
    const { rows } = await pool.query(
      `SELECT round(extract(epoch FROM now() - backed_up_at) / 3600)::int AS backup,
        round(extract(epoch FROM now() - drilled_at) / 3600)::int AS drill FROM environment`,
    );
    return rows[0];
  };
  const inHours = (number: number) => new Date(Date.now() + number * 3_600_000);
  for (const record of [recordBackup, recordDrill]) expect(await record(source.ownerUrl, inHours(9_000))).toBe(true);
  expect(await hours()).toEqual({ backup: 0, drill: 0 });
  await pool.query(
    `UPDATE environment SET backed_up_at = now() + interval '1 year', drilled_at = now() + interval '1 year'`,
  );
  for (const record of [recordBackup, recordDrill]) await record(source.ownerUrl, inHours(-3));
  expect(await hours()).toEqual({ backup: 3, drill: 3 });
  await recordBackup(source.ownerUrl, inHours(-5));
  expect(await hours()).toEqual({ backup: 3, drill: 3 });
  await pool.end();
});

test('a role that must not create databases is told who may, and only the owner how', async () => {
  await expect(drillBackup(source.url, file, claim, signal)).rejects.toThrow(
    /does not own the database\. Set MIGRATION_DATABASE_URL to the URL of the role that owns it\.$/,
  );
  // A role of its own, because other tests use the owner meanwhile.
  const owner = new URL(source.ownerUrl);
  const member = `${scratch}_member`;
  await ask(`CREATE ROLE "${member}" LOGIN PASSWORD 'secret' NOCREATEDB IN ROLE "${owner.username}"`);
  try {
    const { href } = Object.assign(owner, { username: member, password: 'secret' });
    await expect(drillBackup(href, file, claim, signal)).rejects.toThrow(
      `Run as a superuser: ALTER ROLE ${member} CREATEDB;`,
    );
  } finally {
    await ask(`DROP ROLE "${member}"`);
  }
});
