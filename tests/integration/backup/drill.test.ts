import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordBackup, recordDrill } from '@/lib/operations/backup/age';
import { drillBackup } from '@/lib/operations/backup/drill';
import { writeBackup } from '@/lib/operations/backup/dump';
import { withScratchDatabase } from '@/lib/operations/backup/scratch';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { sealingKey, sealWith } from '@/lib/platform/crypto';
import { newId } from '@/lib/platform/ids';
import { placeIn } from '@/lib/platform/sealed-columns';
import { createDatabase, openPool, type TestDatabase, withSuperuser } from '@/tests/support/database';
import { modifiedBackup } from './resign';
import { hashRows } from './rows';

const claim = { environment: 'TEST', secretKey: 'a secret of this test, never deployed' } as const;
const { signal } = new AbortController();

let source: TestDatabase;
let scratch = '';
let directory = '';
let file = '';
const user = newId('usr');

beforeAll(async () => {
  source = await createDatabase();
  scratch = `${new URL(source.url).pathname.slice(1)}_drill`;
  directory = await mkdtemp(join(tmpdir(), 'drill-'));
  file = join(directory, 'backup.gz');
  await claimEnvironment(source.url, claim);
  const pool = openPool(source.url);
  await pool.query('INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)', [
    user,
    'a@b.example',
    'A',
    '$argon2id$the hash',
  ]);
  await pool.end();
  await writeBackup(source.ownerUrl, file, claim, signal);
});

afterAll(async () => {
  await source.drop();
  await rm(directory, { recursive: true });
});

const exists = () =>
  withSuperuser(async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [scratch]);
    return rowCount === 1;
  });

const ask = (sql: string) => withSuperuser((client) => client.query(sql));

test('a drill restores into a database of its own, opens what is encrypted, and leaves nothing', async () => {
  const before = await hashRows(source.url);
  const { counts, opened, seconds, createdAt } = await drillBackup(source.ownerUrl, file, claim, signal);
  expect(counts).toMatchObject({ users: 1, environment: 1 });
  // The keys for stored hashes.
  expect(opened).toBe(1);
  expect(seconds).toBeGreaterThan(0);
  expect(Math.abs(Date.now() - Date.parse(createdAt))).toBeLessThan(600_000);
  expect([await exists(), await hashRows(source.url)]).toEqual([false, before]);
});

test('a drill fails for a backup that a restore would refuse, and for a value that the secrets do not open', async () => {
  const changed = async (change: (text: string) => string) => {
    const path = join(directory, 'changed.gz');
    await writeFile(path, await modifiedBackup(file, change, claim.secretKey));
    return path;
  };
  const drill = async (path: string) => drillBackup(source.ownerUrl, path, claim, signal);
  await expect(drill(await changed((text) => text.replace('"users":1', '"users":2')))).rejects.toThrow(/ is damaged /);
  const other = sealWith(
    sealingKey('another secret of this test, never used', 'TEST'),
    '{}',
    placeIn('environment.hash_keys', true),
  );
  const sealed = await changed((text) => text.replace(/\\\\x[0-9a-f]{100,}/, `\\\\x${other.toString('hex')}`));
  await expect(drill(sealed)).rejects.toThrow(/^A value of environment\.hash_keys cannot be decrypted\./);
  const twice = await changed((text) => text.replace(/^(usr_\w+\t.*\n)/m, '$1$1').replace('"users":1', '"users":2'));
  await expect(drill(twice)).rejects.toMatchObject({ code: '23505' });
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

test('a drill drops what a killed drill has left, but no other database', async () => {
  await ask(`CREATE DATABASE "${scratch}" OWNER "${new URL(source.ownerUrl).username}"`);
  const drill = () => drillBackup(source.ownerUrl, file, claim, signal);
  await expect(drill()).rejects.toThrow(`The database ${scratch} exists, and no drill has created it.`);
  expect(await exists()).toBe(true);
  await ask(`COMMENT ON DATABASE "${scratch}" IS 'Scratch database of npm run drill'`);
  expect((await drill()).counts).toMatchObject({ users: 1 });
  expect(await exists()).toBe(false);
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
