import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '@/lib/platform/postgres/start-error';
import {
  asDatabaseOwner,
  createDatabase,
  createEmptyDatabase,
  openPool,
  type TestDatabase,
} from '@/tests/support/database';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { type Receiver, startReceiver } from '@/tests/support/receiver';
import { SOAK } from '@/tests/support/soak';
import { run } from './command';
import { modifiedBackup } from './resign';
import { filledTables, hashRows, referencesIn } from './rows';
import {
  bookableBodies,
  connectPartner,
  copiedDataDir,
  expectSameResponses,
  expectSameSignature,
  expectSameSignIns,
  keepBooking,
  makeWorld,
  readCredentials,
  restoreInProcess,
  secretKeyOf,
  type World,
} from './world';

const TIMEOUT = 180_000;
const DAMAGED = / is damaged or is not a backup of this system\.$/;

const databases: TestDatabase[] = [];
let receiver: Receiver;
let dataDir = '';
let source = '';
let file = '';
let world: World;
/** The references of the bookings created while the backup was running. */
let bookedDuring: string[] = [];
let bookedAfter = '';

async function kept(creating: Promise<TestDatabase>): Promise<string> {
  const database = await creating;
  databases.push(database);
  return database.url;
}

/** Returns settings with which servers and backups connect to the database with different roles. */
const bothRoles = (url: string) => ({ DATABASE_URL: url, MIGRATION_DATABASE_URL: asDatabaseOwner(url) });

const emptyDatabase = () => kept(createEmptyDatabase());
/** Creates a database that is migrated but has no rows, so that a start or a restore does not have to migrate it. */
const migratedDatabase = () => kept(createDatabase());

beforeAll(async () => {
  receiver = await startReceiver();
  dataDir = await freshDataDir();
  source = await migratedDatabase();
  file = join(dirname(dataDir), 'live.gz');
  const settings = { DATA_DIR: dataDir, ...bothRoles(source) };
  const server = launch({ ...settings, WEBHOOKS_ALLOW_LOOPBACK: '1' });
  await server.running();
  const credentials = await readCredentials(dataDir);
  world = await makeWorld(credentials, receiver);
  const stop = keepBooking(connectPartner(credentials), world.bodies);
  expect(await run('backup', file, settings)).toMatchObject({ code: 0, output: expect.stringContaining(' rows in ') });
  bookedDuring = await stop();
  expect(bookedDuring.length).toBeGreaterThan(0);
  const [later] = await bookableBodies(credentials);
  const after = await connectPartner(credentials).create(later);
  expect(after, after.text).toMatchObject({ status: 201 });
  bookedAfter = after.data.booking.reference;
  server.interrupt('SIGTERM');
  expect(await server.ended()).toBe(0);
}, TIMEOUT);

afterAll(async () => {
  await endLaunches();
  await Promise.all(databases.map((database) => database.drop()));
  await removeDataDirs();
  await receiver.close();
});

test(
  'a server restored from a backup made under load returns the same responses to the same keys and sessions',
  async () => {
    const settings = { DATA_DIR: await copiedDataDir(dataDir), ...bothRoles(await emptyDatabase()) };
    const restored = await run('restore', file, settings);
    expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/^Restored \d+ rows in \d+ tables/) });
    const server = launch({ ...settings, WEBHOOKS_ALLOW_LOOPBACK: '1' });
    await server.running();
    expect(server.output()).not.toContain('Filled');
    const credentials = await readCredentials(settings.DATA_DIR);
    await expectSameResponses(credentials, world);
    const partner = connectPartner(credentials);
    // `bookedDuring` lists the bookings that were created during the backup, in the order of creation. The backup
    // contains only the earliest of them, so all responses with a 200 come before all responses with a 404.
    const statuses = [];
    for (const reference of bookedDuring) statuses.push((await partner.read(reference)).status);
    expect(statuses).toEqual([...statuses].sort());
    expect((await partner.read(bookedAfter)).status).toBe(404);
    await expectSameSignature(credentials, world);
    await expectSameSignIns(credentials, world);
    const drilled = await run('drill', file, settings);
    const lines = [
      / rows in \d+ tables, as of 20\S+Z\.$/,
      /^The restore took \d+ seconds for [1-9]\d* bookings\.$/,
      /^The secrets decrypt the backup: [1-9]\d* of /,
    ];
    expect([drilled.code, drilled.output.split('\n')]).toEqual([0, lines.map((line) => expect.stringMatching(line))]);
    const target = openPool(settings.DATABASE_URL);
    expect((await target.query('SELECT FROM environment WHERE drilled_at IS NOT NULL')).rowCount).toBe(1);
    await target.end();
    const beside = await run('restore', file, { ...settings, ...bothRoles(await emptyDatabase()) });
    expect(beside.code).toBe(1);
    expect(beside.output).toMatch(
      /is already using the data directory .*\. To restore beside it, set DATA_DIR to a new /,
    );
    expect((await partner.create((await bookableBodies(credentials))[0])).status).toBe(201);
    server.interrupt('SIGTERM');
    expect(await server.ended()).toBe(0);
  },
  TIMEOUT,
);

test(
  'with DATABASE_URL and SECRET_KEY, a backup needs no data directory',
  async () => {
    const absent = join(dirname(dataDir), 'absent');
    const settings = { DATA_DIR: join(absent, 'data'), SECRET_KEY: await secretKeyOf(dataDir), ...bothRoles(source) };
    const path = join(dirname(dataDir), 'elsewhere.gz');
    expect(await run('backup', path, settings)).toMatchObject({ code: 0 });
    expect(await readdir(dirname(dataDir))).not.toContain('absent');
  },
  TIMEOUT,
);

test(
  'in a directory, older backups are removed and the new one is recorded only after it was copied',
  async () => {
    const directory = join(dirname(dataDir), 'directory');
    await mkdir(directory);
    const old = 'booking-test-20200101T000000Z.gz';
    await writeFile(join(directory, old), '');
    const pool = openPool(source);
    await pool.query('UPDATE environment SET backed_up_at = NULL');
    const backUp = async (copy: string) => {
      const started = launch({ DATA_DIR: dataDir, ...bothRoles(source) }, [
        'backup',
        directory,
        '--keep',
        '1',
        '--copy',
        copy,
      ]);
      const code = await started.ended();
      const { rows } = await pool.query<{ recorded: boolean }>(
        'SELECT backed_up_at IS NOT NULL AS recorded FROM environment',
      );
      return { code, output: started.output(), recorded: rows[0]?.recorded, names: await readdir(directory) };
    };
    const uncopied = await backUp('false');
    expect([uncopied.code, uncopied.recorded, uncopied.names.length]).toEqual([1, false, 2]);
    expect(uncopied.output).toContain(' is complete, but it is not recorded, because there is no copy of it.');
    const copied = await backUp('true');
    expect([copied.code, copied.recorded, copied.names.length]).toEqual([0, true, 1]);
    expect(copied.names).not.toContain(old);
    expect(uncopied.names).not.toContain(copied.names[0]);
    await pool.end();
  },
  TIMEOUT,
);

test(
  'every row of every table is restored, and the file is private and contains no secret',
  async () => {
    const path = join(dirname(dataDir), 'whole.gz');
    expect(await run('backup', path, { DATA_DIR: dataDir, ...bothRoles(source) })).toMatchObject({ code: 0 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const pool = openPool(source);
    const { rows } = await pool.query(`SELECT FROM environment WHERE backed_up_at > now() - interval '5 minutes'`);
    expect(rows).toHaveLength(1);
    await pool.end();
    const target = await migratedDatabase();
    const copy = await copiedDataDir(dataDir);
    expect(await run('restore', path, { DATA_DIR: copy, ...bothRoles(target) })).toMatchObject({ code: 0 });
    expect(await hashRows(target)).toEqual(await hashRows(source));
    const filled = ['environment', 'tenants', 'invitations', 'audit_log', 'idempotency_keys', 'webhook_secrets'];
    expect(await filledTables(target)).toEqual(expect.arrayContaining([...filled, 'bookings', 'events']));
    const text = gunzipSync(await readFile(path)).toString();
    const { owner, applications } = await readCredentials(dataDir);
    const secrets = [
      owner.password,
      await secretKeyOf(dataDir),
      world.secret,
      ...applications.map(({ api_key }) => api_key),
    ];
    for (const secret of [...secrets, 'Robin Sample']) expect(text).not.toContain(secret);
  },
  TIMEOUT,
);

test(
  'a backup can be restored into the embedded server, which can be backed up while it is stopped',
  async () => {
    const DATA_DIR = await copiedDataDir(dataDir);
    const stopped = join(dirname(DATA_DIR), 'stopped.gz');
    expect(await run('restore', file, { DATA_DIR })).toMatchObject({ code: 0 });
    expect(await run('backup', stopped, { DATA_DIR })).toMatchObject({ code: 0 });
    const target = await migratedDatabase();
    expect(await restoreInProcess(stopped, target, DATA_DIR)).toBeNull();
    expect(await referencesIn(target)).toContain(world.reference);
  },
  TIMEOUT,
);

const embedded = async () => {
  const DATA_DIR = await freshDataDir();
  const before = launch({ DATA_DIR });
  await before.running();
  const credentials = await readCredentials(DATA_DIR);
  const [body = {}] = await bookableBodies(credentials);
  const { reference } = (await connectPartner(credentials).create(body)).data.booking;
  const running = join(dirname(DATA_DIR), 'running.gz');
  const stopped = join(dirname(DATA_DIR), 'stopped.gz');
  expect(await run('backup', running, { DATA_DIR })).toMatchObject({ code: 0 });
  before.interrupt('SIGTERM');
  await before.ended();
  expect(await run('backup', stopped, { DATA_DIR })).toMatchObject({ code: 0 });
  const copy = await copiedDataDir(DATA_DIR);
  expect(await run('restore', running, { DATA_DIR: copy })).toMatchObject({ code: 0 });
  const after = launch({ DATA_DIR: copy });
  await after.running();
  expect((await connectPartner(await readCredentials(copy)).read(reference)).status).toBe(200);
  after.interrupt('SIGTERM');
  await after.ended();
  const target = await migratedDatabase();
  expect(await restoreInProcess(stopped, target, DATA_DIR)).toBeNull();
  expect(await referencesIn(target)).toContain(reference);
};

if (SOAK) test('the embedded server can be backed up while running, and restored into another one', embedded, TIMEOUT);

describe('refuses, without writing anything,', () => {
  /** Writes a copy of the backup with changed content and an HMAC that matches it. Returns the path of the copy. */
  async function modified(name: string, change: (text: string) => string): Promise<string> {
    const path = join(dirname(dataDir), name);
    await writeFile(path, await modifiedBackup(file, change, await secretKeyOf(dataDir)));
    return path;
  }

  async function refusal(path: string, settings: Record<string, string> = {}): Promise<string> {
    const target = await createDatabase();
    const all = { DATA_DIR: await copiedDataDir(dataDir), ...bothRoles(target.url), ...settings };
    const { code, output } = await run('restore', path, all);
    expect([code, await filledTables(target.url)]).toEqual([1, []]);
    await target.drop();
    return output;
  }

  async function refusalInProcess(path: string): Promise<string> {
    const target = await migratedDatabase();
    const error = await restoreInProcess(path, target, dataDir);
    expect(error).toBeInstanceOf(StartError);
    expect(await filledTables(target)).toEqual([]);
    return error instanceof Error ? error.message : '';
  }

  test('a restore with another secret, without a secret, or into the other environment', {
    timeout: TIMEOUT,
  }, async () => {
    const other = { SECRET_KEY: 'another one of at least thirty-two characters' };
    expect(await refusal(file, other)).toMatch(/^This backup was made with a different SECRET_KEY\./);
    const DATA_DIR = await freshDataDir();
    expect(await refusal(file, { DATA_DIR })).toMatch(/is missing\. Copy the secrets\.json that belongs to the backup/);
    expect(await readdir(dirname(DATA_DIR))).toEqual([]);
    const live = { ...other, ENVIRONMENT: 'LIVE', DATA_DIR };
    expect(await refusal(file, live)).toBe(
      'This backup belongs to a TEST environment, but ENVIRONMENT is LIVE. Restore the backup in a TEST environment.',
    );
  });

  test('a file that is truncated, modified, not a backup, or missing', { timeout: TIMEOUT }, async () => {
    const whole = await readFile(file);
    const cut = join(dirname(dataDir), 'cut.gz');
    await writeFile(cut, whole.subarray(0, whole.length / 2));
    const others = [
      cut,
      await modified('no-end.gz', (text) => text.replace(/^-- end .*\n/m, '')),
      await modified('fewer.gz', (text) => text.replace(/(^COPY "events".*\n).*\n/m, '$1')),
      await modified('other.gz', () => 'SELECT 1;\n'),
      join(dataDir, 'secrets.json'),
    ];
    for (const path of others) expect(await refusalInProcess(path)).toMatch(DAMAGED);
    expect(await refusalInProcess('/nowhere/backup.gz')).toBe(
      'The backup /nowhere/backup.gz does not exist or is a directory.',
    );
  });

  test('a backup of an older or newer version', { timeout: TIMEOUT }, async () => {
    const newer = await modified('newer.gz', (text) => text.replace('"migrations":[', '"migrations":["2999_unknown",'));
    expect(await refusalInProcess(newer)).toMatch(
      /^This backup was made by a newer version: its migration 2999_unknown is unknown here\./,
    );
    const older = await modified('older.gz', (text) => text.replace(/("migrations":\[.*),"\w+"\]/, '$1]'));
    expect(await refusalInProcess(older)).toMatch(
      /^This backup was made by an older version: its last migration is \w+\./,
    );
  });

  test('a restore into a database with rows, and a backup to an existing file', { timeout: TIMEOUT }, async () => {
    const before = await hashRows(source);
    const settings = { DATA_DIR: await copiedDataDir(dataDir), ...bothRoles(source) };
    const again = await run('restore', file, settings);
    expect(again.output).toMatch(/^This database is not empty \(\w+ has rows\): restore into a new database\.$/);
    expect(await hashRows(source)).toEqual(before);
    const bytes = await readFile(file);
    const { code, output } = await run('backup', file, settings);
    expect([code, output]).toEqual([
      1,
      `${file} already exists, and backups are never overwritten. Specify a different file.`,
    ]);
    expect(await readFile(file)).toEqual(bytes);
  });

  test('a backup of an empty or missing database', { timeout: TIMEOUT }, async () => {
    const database = await createDatabase();
    databases.push(database);
    const DATA_DIR = await copiedDataDir(dataDir);
    const path = join(dirname(DATA_DIR), 'nothing.gz');
    const empty = await run('backup', path, { DATA_DIR, ...bothRoles(database.url) });
    expect(empty).toEqual({ code: 1, output: 'This database is empty: there is nothing to back up.' });
    const none = await run('backup', path, { DATA_DIR });
    expect(none.output).toMatch(/^There is no database in /);
    expect(await readdir(dirname(DATA_DIR))).toEqual(['data']);
  });

  test('URLs of the servers and of the owner that lead to different databases', { timeout: TIMEOUT }, async () => {
    const other = await emptyDatabase();
    const DATA_DIR = await copiedDataDir(dataDir);
    const refused = { code: 1, output: 'DATABASE_URL and MIGRATION_DATABASE_URL lead to different databases.' };
    const settings = { DATA_DIR, DATABASE_URL: source, MIGRATION_DATABASE_URL: asDatabaseOwner(other) };
    for (const [command, path] of [
      ['backup', join(dirname(DATA_DIR), 'other.gz')],
      ['restore', file],
    ] as const)
      expect(await run(command, path, settings)).toEqual(refused);
    const inverse = { DATA_DIR, DATABASE_URL: other, MIGRATION_DATABASE_URL: asDatabaseOwner(source) };
    expect(await run('backup', join(dirname(DATA_DIR), 'other.gz'), inverse)).toEqual(refused);
    expect(await readdir(dirname(DATA_DIR))).toEqual(['data']);
    expect(await hashRows(other)).toEqual({});
  });
});
