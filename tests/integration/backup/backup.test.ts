import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { writeBackup } from '@/lib/operations/backup/dump';
import { findEmbedded } from '@/lib/platform/postgres/embedded';
import { StartError } from '@/lib/platform/postgres/start-error';
import { findDatabase } from '@/scripts/start/running-database';
import { requireSecrets } from '@/scripts/start/secrets';
import type { StartSettings } from '@/scripts/start/settings';
import { asDatabaseOwner, createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { type Receiver, startReceiver } from '@/tests/support/receiver';
import { SOAK } from '@/tests/support/soak';
import { run } from './command';
import { modifiedBackup } from './resign';
import { filledTables, hashRows, referencesIn } from './rows';
import {
  bookableBodies,
  claimIn,
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
const { signal } = new AbortController();

const databases: TestDatabase[] = [];
let receiver: Receiver;
let dataDir = '';
let source = '';
/** Of the backup in a directory, which had only the older one before. */
let directory = '';
let file = '';
const OLD = 'booking-test-20200101T000000Z.gz';
let world: World;
/** The references of the bookings created while the backup was running. */
let bookedDuring: string[] = [];
let bookedAfter = '';

/** Returns settings with which servers and backups connect to the database with different roles. */
const bothRoles = (url: string) => ({ DATABASE_URL: url, MIGRATION_DATABASE_URL: asDatabaseOwner(url) });

async function migratedDatabase(): Promise<string> {
  const database = await createDatabase();
  databases.push(database);
  return database.url;
}

async function directoryWith(old: string): Promise<string> {
  const made = join(dirname(await freshDataDir()), 'directory');
  await mkdir(made);
  await writeFile(join(made, old), '');
  return made;
}

beforeAll(async () => {
  receiver = await startReceiver();
  dataDir = await freshDataDir();
  source = await migratedDatabase();
  directory = await directoryWith(OLD);
  const server = launch({ DATA_DIR: dataDir, ...bothRoles(source), WEBHOOKS_ALLOW_LOOPBACK: '1' });
  await server.running();
  const credentials = await readCredentials(dataDir);
  world = await makeWorld(credentials, receiver);
  const stop = keepBooking(connectPartner(credentials), world.bodies);
  // With DATABASE_URL and SECRET_KEY, a backup needs no data directory.
  const absent = join(dirname(dataDir), 'absent', 'data');
  const settings = { DATA_DIR: absent, SECRET_KEY: await secretKeyOf(dataDir), ...bothRoles(source) };
  const made = await run('backup', directory, settings, ['--keep', '1', '--copy', 'true']);
  expect(made, made.output).toMatchObject({ code: 0, output: expect.stringContaining(' rows in ') });
  expect(await readdir(dirname(dataDir))).not.toContain('absent');
  file = join(directory, (await readdir(directory)).find((name) => name !== OLD) ?? '');
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
  'an embedded server restored from a backup made under load returns the same responses to the same keys and sessions',
  async () => {
    const settings = { DATA_DIR: await copiedDataDir(dataDir) };
    const restored = await run('restore', file, settings);
    expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/^Restored \d+ rows in \d+ tables/m) });
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
    const created = await partner.create((await bookableBodies(credentials))[0]);
    expect(created.status).toBe(201);
    if (!SOAK) return;
    const drilled = await run('drill', file, settings);
    const lines = [
      / rows in \d+ tables, as of 20\S+Z\.$/,
      /^The restore took \d+ seconds for [1-9]\d* bookings\.$/,
      /^The secrets decrypt the backup: [1-9]\d* of /,
    ];
    expect([drilled.code, drilled.output.split('\n')]).toEqual([0, lines.map((line) => expect.stringMatching(line))]);
    const { postgres } = JSON.parse(await readFile(join(settings.DATA_DIR, 'secrets.json'), 'utf8'));
    const embedded = await findEmbedded(settings.DATA_DIR, { ...postgres, clusterId: postgres.cluster_id });
    const target = openPool(embedded.url);
    expect((await target.query('SELECT FROM environment WHERE drilled_at IS NOT NULL')).rowCount).toBe(1);
    await target.end();
    const beside = await run('restore', file, settings);
    expect(beside.code).toBe(1);
    expect(beside.output).toMatch(
      /is already using the data directory .*\. To restore beside it, set DATA_DIR to a new /,
    );
    server.interrupt('SIGTERM');
    expect(await server.ended()).toBe(0);
    const stopped = join(dirname(settings.DATA_DIR), 'stopped.gz');
    expect(await run('backup', stopped, settings)).toMatchObject({ code: 0 });
    const copy = await migratedDatabase();
    expect(await restoreInProcess(stopped, copy, await claimIn(dataDir))).toBeNull();
    expect(await referencesIn(copy)).toEqual(expect.arrayContaining([world.reference, created.data.booking.reference]));
  },
  TIMEOUT,
);

test(
  'a backup in a directory counts and replaces older ones once it is copied, has every row, is private, and has no secret',
  async () => {
    expect(await readdir(directory)).toEqual([basename(file)]);
    const pool = openPool(source);
    const recorded = async () =>
      (await pool.query(`SELECT FROM environment WHERE backed_up_at > now() - interval '10 minutes'`)).rowCount === 1;
    expect(await recorded()).toBe(true);
    if (SOAK) {
      await pool.query('UPDATE environment SET backed_up_at = NULL');
      const uncopied = await directoryWith(OLD);
      const settings = { DATA_DIR: dataDir, ...bothRoles(source) };
      const failed = await run('backup', uncopied, settings, ['--keep', '1', '--copy', 'false']);
      expect([failed.code, await recorded(), (await readdir(uncopied)).length]).toEqual([1, false, 2]);
      expect(failed.output).toContain(' is complete, but it is not recorded, because there is no copy of it.');
    }
    await pool.end();

    // The server has made bookings since then.
    const path = join(dirname(dataDir), 'all.gz');
    await writeBackup(asDatabaseOwner(source), path, await claimIn(dataDir), signal);
    for (const one of [file, path]) expect((await stat(one)).mode & 0o777).toBe(0o600);
    const target = await migratedDatabase();
    expect(await restoreInProcess(path, target, await claimIn(dataDir))).toBeNull();
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

describe('refuses, without writing anything,', () => {
  /** Of every refused restore, because none writes anything. */
  let target = '';

  beforeAll(async () => {
    target = await migratedDatabase();
  });

  afterEach(async () => {
    expect(await filledTables(target)).toEqual([]);
  });

  /** Writes a copy of the backup with changed content and an HMAC that matches it. Returns the path of the copy. */
  async function modified(name: string, change: (text: string) => string): Promise<string> {
    const path = join(dirname(dataDir), name);
    await writeFile(path, await modifiedBackup(file, change, await secretKeyOf(dataDir)));
    return path;
  }

  async function refusal(path: string, claim = {}): Promise<string> {
    const error = await restoreInProcess(path, target, { ...(await claimIn(dataDir)), ...claim });
    expect(error).toBeInstanceOf(StartError);
    return error instanceof Error ? error.message : '';
  }

  test('a restore with another secret, without a secret, or into the other environment', async () => {
    const secretKey = 'another one of at least thirty-two characters';
    expect(await refusal(file, { secretKey })).toMatch(/^This backup was made with a different SECRET_KEY\./);
    expect(await refusal(file, { secretKey, environment: 'LIVE' })).toBe(
      'This backup belongs to a TEST environment, but ENVIRONMENT is LIVE. Restore the backup in a TEST environment.',
    );
    const DATA_DIR = await freshDataDir();
    expect(() => requireSecrets({ DATA_DIR } as StartSettings, 'that belongs to the backup')).toThrow(
      /is missing\. Copy the secrets\.json that belongs to the backup/,
    );
    expect(await readdir(dirname(DATA_DIR))).toEqual([]);
  });

  test('a file that is truncated, modified, not a backup, or missing', async () => {
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
    for (const path of others) expect(await refusal(path)).toMatch(DAMAGED);
    expect(await refusal('/nowhere/backup.gz')).toBe('The backup /nowhere/backup.gz does not exist or is a directory.');
  });

  test('a backup of an older or newer version', async () => {
    const newer = await modified('newer.gz', (text) => text.replace('"migrations":[', '"migrations":["2999_unknown",'));
    expect(await refusal(newer)).toMatch(
      /^This backup was made by a newer version: its migration 2999_unknown is unknown here\./,
    );
    const older = await modified('older.gz', (text) => text.replace(/("migrations":\[.*),"\w+"\]/, '$1]'));
    expect(await refusal(older)).toMatch(/^This backup was made by an older version: its last migration is \w+\./);
  });

  test('a restore into a database with rows, and a backup to an existing file', async () => {
    const before = await hashRows(source);
    const claim = await claimIn(dataDir);
    expect(await restoreInProcess(file, source, claim)).toMatchObject({
      message: expect.stringMatching(/^This database is not empty \(\w+ has rows\): restore into a new database\.$/),
    });
    expect(await hashRows(source)).toEqual(before);
    const bytes = await readFile(file);
    await expect(writeBackup(asDatabaseOwner(source), file, claim, signal)).rejects.toThrow(
      `${file} already exists, and backups are never overwritten. Specify a different file.`,
    );
    expect(await readFile(file)).toEqual(bytes);
  });

  test('a backup of an empty or missing database', async () => {
    const DATA_DIR = await freshDataDir();
    const path = join(dirname(DATA_DIR), 'nothing.gz');
    await expect(writeBackup(asDatabaseOwner(target), path, await claimIn(dataDir), signal)).rejects.toThrow(
      'This database is empty: there is nothing to back up.',
    );
    const running = { signal, onStop: () => {}, stopAll: async () => {} };
    const none = findDatabase({ DATA_DIR, ENVIRONMENT: 'TEST' } as StartSettings, running);
    await expect(none).rejects.toThrow(/^There is no database in /);
    expect(await readdir(dirname(DATA_DIR))).toEqual([]);
  });
});
