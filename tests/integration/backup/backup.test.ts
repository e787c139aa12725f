import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '@/tests/support/database';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { type Receiver, startReceiver } from '@/tests/support/receiver';
import { codeBlocks } from '../docs/blocks';
import { filledTables, hashRows } from './rows';
import {
  bookable,
  expectSame,
  expectSamePeople,
  expectSameSignature,
  givenBy,
  makeWorld,
  partnerAt,
  type World,
} from './world';

const PATIENCE = 180_000;

const databases: TestDatabase[] = [];
let receiver: Receiver;
let dataDir = '';
let source = '';
let file = '';
let world: World;
/** References of bookings made while the backup ran. */
let bookedMeanwhile: string[] = [];
let bookedLater = '';

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database.url;
}

/** Runs a documented command with another file; resolves with its exit code and output. */
async function run(command: 'backup' | 'restore', path: string, settings: Record<string, string>) {
  const block = codeBlocks('').find(({ page, name }) => page === 'docs/backup.md' && name === command);
  const [, script = '', given = ''] = /^npm run (\w+) -- (\S+)\n$/.exec(block?.code ?? '') ?? [];
  expect([script, given]).toEqual([command, '/var/backups/booking.gz']);
  const running = launch(settings, [script, path]);
  return { code: await running.ended(), output: running.output().trim() };
}

/** Returns a new data directory with a copy of the secrets and credentials of another. */
async function copiedDataDir(from = dataDir): Promise<string> {
  const copy = await freshDataDir();
  await mkdir(copy);
  for (const name of ['secrets.json', 'credentials.json']) await copyFile(join(from, name), join(copy, name));
  return copy;
}

/** Books until stopped; returns the references. */
function keepBooking(partner: ReturnType<typeof partnerAt>, bodies: object[]) {
  let stopped = false;
  const references: string[] = [];
  const done = (async () => {
    for (const body of bodies) {
      if (stopped) break;
      const { status, data } = await partner.create(body);
      // Slots overlap, so an earlier booking may have taken a later slot.
      expect([201, 409]).toContain(status);
      if (status === 201) references.push(data.booking.reference);
    }
    return references;
  })();
  return () => {
    stopped = true;
    return done;
  };
}

beforeAll(async () => {
  receiver = await startReceiver();
  dataDir = await freshDataDir();
  source = await emptyDatabase();
  file = join(dirname(dataDir), 'live.gz');
  const settings = { DATA_DIR: dataDir, DATABASE_URL: source };
  const server = launch({ ...settings, WEBHOOKS_ALLOW_LOOPBACK: '1' });
  await server.running();
  const given = await givenBy(dataDir);
  world = await makeWorld(given, receiver);
  const stop = keepBooking(partnerAt(given), world.bodies);
  expect(await run('backup', file, settings)).toMatchObject({ code: 0, output: expect.stringContaining(' rows of ') });
  bookedMeanwhile = await stop();
  expect(bookedMeanwhile.length).toBeGreaterThan(0);
  const [later] = await bookable(given);
  bookedLater = (await partnerAt(given).create(later)).data.booking.reference;
  server.interrupt('SIGTERM');
  expect(await server.ended()).toBe(0);
}, PATIENCE);

afterAll(async () => {
  await endLaunches();
  await Promise.all(databases.map((database) => database.drop()));
  await removeDataDirs();
  await receiver.close();
});

test(
  'a server on a backup made under traffic gives the same responses to the same keys and users',
  async () => {
    const settings = { DATA_DIR: await copiedDataDir(), DATABASE_URL: await emptyDatabase() };
    const restored = await run('restore', file, settings);
    expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(/^Restored \d+ rows of \d+ tables/) });
    const server = launch({ ...settings, WEBHOOKS_ALLOW_LOOPBACK: '1' });
    await server.running();
    expect(server.output()).not.toContain('Filled');
    const given = await givenBy(settings.DATA_DIR);
    await expectSame(given, world);
    const partner = partnerAt(given);
    // A consistent snapshot: of the bookings made meanwhile it contains a prefix without gaps.
    const statuses = [];
    for (const reference of bookedMeanwhile) statuses.push((await partner.read(reference)).status);
    expect(statuses).toEqual([...statuses].sort());
    expect((await partner.read(bookedLater)).status).toBe(404);
    await expectSameSignature(given, world);
    await expectSamePeople(given, world);
    expect((await partner.create((await bookable(given))[0])).status).toBe(201);
    server.interrupt('SIGTERM');
    expect(await server.ended()).toBe(0);
  },
  PATIENCE,
);

test(
  'every row of every table is restored, and the file is private and contains no secret',
  async () => {
    const path = join(dirname(dataDir), 'whole.gz');
    expect(await run('backup', path, { DATA_DIR: dataDir, DATABASE_URL: source })).toMatchObject({ code: 0 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const target = await emptyDatabase();
    const copy = await copiedDataDir();
    expect(await run('restore', path, { DATA_DIR: copy, DATABASE_URL: target })).toMatchObject({ code: 0 });
    expect(await hashRows(target)).toEqual(await hashRows(source));
    const filled = ['environment', 'tenants', 'invitations', 'audit_log', 'idempotency_keys', 'webhook_secrets'];
    expect(await filledTables(target)).toEqual(expect.arrayContaining([...filled, 'bookings', 'events']));
    const text = gunzipSync(await readFile(path)).toString();
    const { owner, applications } = await givenBy(dataDir);
    const { secret_key } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
    const secrets = [owner.password, secret_key, world.secret, ...applications.map(({ api_key }) => api_key)];
    for (const secret of [...secrets, 'Robin Sample']) expect(text).not.toContain(secret);
  },
  PATIENCE,
);

test(
  'the embedded server can be backed up running or stopped, and restored into another',
  async () => {
    const DATA_DIR = await freshDataDir();
    const before = launch({ DATA_DIR });
    await before.running();
    const given = await givenBy(DATA_DIR);
    const [body = {}] = await bookable(given);
    const { reference } = (await partnerAt(given).create(body)).data.booking;
    const [running, stopped] = ['running.gz', 'stopped.gz'].map((name) => join(dirname(DATA_DIR), name));
    expect(await run('backup', running ?? '', { DATA_DIR })).toMatchObject({ code: 0 });
    before.interrupt('SIGTERM');
    await before.ended();
    expect(await run('backup', stopped ?? '', { DATA_DIR })).toMatchObject({ code: 0 });
    for (const path of [running ?? '', stopped ?? '']) {
      const copy = await copiedDataDir(DATA_DIR);
      expect(await run('restore', path, { DATA_DIR: copy })).toMatchObject({ code: 0 });
      const after = launch({ DATA_DIR: copy });
      await after.running();
      expect((await partnerAt(await givenBy(copy)).read(reference)).status).toBe(200);
      after.interrupt('SIGTERM');
      await after.ended();
    }
  },
  PATIENCE,
);

describe('refused, and nothing is written', () => {
  /** Writes a copy of the backup with changed text. */
  async function changed(name: string, change: (text: string) => string): Promise<string> {
    const path = join(dirname(dataDir), name);
    await writeFile(path, gzipSync(change(gunzipSync(await readFile(file)).toString())));
    return path;
  }

  async function refusal(path: string, settings: Record<string, string> = {}): Promise<string> {
    const target = await createDatabase();
    const given = { DATA_DIR: await copiedDataDir(), DATABASE_URL: target.url, ...settings };
    const { code, output } = await run('restore', path, given);
    expect([code, await filledTables(target.url)]).toEqual([1, []]);
    await target.drop();
    return output;
  }

  test('a restore with other secrets, with none, or into the other environment', { timeout: PATIENCE }, async () => {
    const other = { SECRET_KEY: 'another one of at least thirty-two characters' };
    expect(await refusal(file, other)).toMatch(/^This backup belongs to other secrets/);
    const DATA_DIR = await freshDataDir();
    expect(await refusal(file, { DATA_DIR })).toMatch(/^Copy the secrets\.json that belongs to the backup to /);
    expect(await readdir(dirname(DATA_DIR))).toEqual([]);
    const live = { ...other, ENVIRONMENT: 'LIVE', DATA_DIR };
    expect(await refusal(file, live)).toBe('This backup is of a TEST environment, this start is LIVE.');
  });

  test('a truncated, changed, foreign, or missing file', { timeout: PATIENCE }, async () => {
    const whole = await readFile(file);
    const cut = join(dirname(dataDir), 'cut.gz');
    await writeFile(cut, whole.subarray(0, whole.length / 2));
    const damaged = [
      cut,
      await changed('no-end.gz', (text) => text.replace(/^-- end .*\n/m, '')),
      await changed('fewer.gz', (text) => text.replace(/(^COPY "events".*\n).*\n/m, '$1')),
      await changed('other.gz', () => 'SELECT 1;\n'),
      join(dataDir, 'secrets.json'),
    ];
    for (const path of damaged) expect(await refusal(path)).toMatch(/ is damaged, or no backup of this system\.$/);
    expect(await refusal('/nowhere/backup.gz')).toBe('There is no backup /nowhere/backup.gz.');
  });

  test('a backup of an older or a newer version', { timeout: PATIENCE }, async () => {
    const newer = await changed('newer.gz', (text) => text.replace('"migrations":[', '"migrations":["2999_unknown",'));
    expect(await refusal(newer)).toMatch(/^This backup is of a newer version: it has the migration 2999_unknown\./);
    const older = await changed('older.gz', (text) => text.replace(/("migrations":\[.*),"\w+"\]/, '$1]'));
    expect(await refusal(older)).toMatch(/^This backup is of an older version: its last migration is \w+\./);
  });

  test('a database with rows, and an existing file', { timeout: PATIENCE }, async () => {
    const before = await hashRows(source);
    const settings = { DATA_DIR: await copiedDataDir(), DATABASE_URL: source };
    const again = await run('restore', file, settings);
    expect(again.output).toMatch(/^This database is not empty \(\w+ has rows\): restore into a new one\.$/);
    expect(await hashRows(source)).toEqual(before);
    const bytes = await readFile(file);
    const { code, output } = await run('backup', file, settings);
    expect([code, output]).toEqual([1, `${file} is there already: a backup is never overwritten.`]);
    expect(await readFile(file)).toEqual(bytes);
  });

  test('a backup of an empty or missing database', { timeout: PATIENCE }, async () => {
    const database = await createDatabase();
    databases.push(database);
    const DATA_DIR = await copiedDataDir();
    const path = join(dirname(DATA_DIR), 'nothing.gz');
    const empty = await run('backup', path, { DATA_DIR, DATABASE_URL: database.url });
    expect(empty).toEqual({ code: 1, output: 'This database is empty: there is nothing to back up.' });
    const none = await run('backup', path, { DATA_DIR });
    expect(none.output).toMatch(/^There is no database in /);
    expect(await readdir(dirname(DATA_DIR))).toEqual(['data']);
  });
});
