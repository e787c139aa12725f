import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { parseCommand } from '@/scripts/tenant/command';
import { runCommand } from '@/scripts/tenant/run';
import { createEmptyDatabase } from '@/tests/support/database';
import { endLaunches, type Launch, launch, removeDataDirs } from '@/tests/support/launcher';
import { startPoolerProxy } from '@/tests/support/pooler-proxy';
import { startPostgres } from '@/tests/support/postgres-restart';
import { repeats } from '@/tests/support/soak';
import { startStandby } from '@/tests/support/standby';
import { contentOf, filledTables, leftOvers, NAME, startWorld, type World } from './move-command-world';
import { TENANT } from './world';

/** Whether the long versions of the tests run (`npm run test:soak`). */
const LONG = repeats(0, 1) > 0;

let world: World;

beforeAll(async () => {
  world = await startWorld();
}, 60_000);

afterAll(async () => {
  await endLaunches();
  await world.stop();
  await removeDataDirs();
});

const endOf = async (command: Launch) => [await command.ended(), command.output().trim()];

type Bad = [
  name: string,
  message: string,
  wrong: { url?: (world: World) => string; source?: string; target?: string; undo?: string; tenantId?: string },
];

const BAD: Bad[] = [
  [
    'the database of this cell',
    'TARGET_DATABASE_URL leads to the database of this cell.',
    { url: (w) => w.source.ownerUrl },
  ],
  [
    'a wrong password',
    'The database of TARGET_DATABASE_URL cannot be reached: password authentication failed for user',
    { url: (w) => w.target.ownerUrl.replace(/:[^:@]+@/, ':wrong@') },
  ],
  [
    'a database that is down',
    'The database of TARGET_DATABASE_URL cannot be reached: connect ECONNREFUSED',
    { url: (w) => w.target.ownerUrl.replace(/:\d+\//, ':1/') },
  ],
  [
    'the role of the servers',
    'does not own the database of TARGET_DATABASE_URL. Set TARGET_DATABASE_URL to a URL with the role that owns that database.',
    { url: (w) => w.target.url },
  ],
  [
    'the database of another cell',
    'TARGET_DATABASE_URL leads to the database of the cell eu03, not of eu02. Set it to a URL of the database of eu02.',
    { target: `UPDATE environment SET cell = 'eu03'`, undo: `UPDATE environment SET cell = 'eu02'` },
  ],
  ['the own cell', 'eu02 is this cell. --to must be another cell.', { source: `UPDATE environment SET cell = 'eu02'` }],
  [
    'an older schema',
    'eu02 has another version: it lacks the migration ',
    {
      target: `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations);
        ALTER TABLE environment RENAME previous_fingerprint TO renamed`,
      undo: 'UPDATE _prisma_migrations SET rolled_back_at = NULL; ALTER TABLE environment RENAME renamed TO previous_fingerprint',
    },
  ],
  [
    'a newer schema',
    'eu02 has another version: it has the migration 20990101000000_x. Bring both cells to the same version first.',
    {
      target: `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at) VALUES ('x', 'x', '20990101000000_x', now(), now())`,
      undo: `DELETE FROM _prisma_migrations WHERE id = 'x'`,
    },
  ],
  [
    'an unknown tenant',
    'There is no tenant with this ID. To see the IDs, run npm run tenant -- list.',
    { tenantId: newId('ten') },
  ],
  [
    'a suspended tenant',
    `${NAME} is suspended, so a move is not necessary. Export the tenant and import it into eu02, or resume the tenant and move it.`,
    { source: `UPDATE tenants SET suspended_at = now() WHERE id = '${TENANT}'` },
  ],
  [
    'a tenant whose deletion has begun',
    'The tenant is being deleted: run delete again to finish.',
    { source: `UPDATE tenants SET suspended_at = now(), deletion_began_at = now() WHERE id = '${TENANT}'` },
  ],
  [
    'a tenant that the other cell serves too',
    `${NAME} (${TENANT}) already exists in eu02, but it is not the copy of this move.`,
    {
      target: `INSERT INTO tenants (id, name, time_zone, default_locale, locales) VALUES ('${TENANT}', '${NAME.replaceAll("'", "''")}', 'UTC', 'en', '{en}')`,
      undo: `DELETE FROM tenants`,
    },
  ],
];

/**
 * Runs `move` in this process, because starting the command would take longer than the refusal. Returns the message of
 * the error, or an empty string if `move` succeeds.
 */
async function refusal(targetUrl: string, tenantId: string): Promise<string> {
  const { source, directory, settings } = world;
  const context = { dataDir: settings.DATA_DIR, now: new Date(), signal: new AbortController().signal, say: () => {} };
  const command = parseCommand(['move', tenantId, '--directory', directory, '--to', 'eu02']);
  return runCommand(command, { ...context, ownerUrl: source.ownerUrl, targetUrl }).then(
    () => '',
    (error: Error) => error.message,
  );
}

/** Runs `work`, and asserts that it changed neither the directory nor the tenant's data in the two cells. */
async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const { source, there, directory } = world;
  const before = [await contentOf(source, TENANT), await readFile(directory, 'utf8')];
  await work();
  expect([await contentOf(source, TENANT), await readFile(directory, 'utf8')]).toEqual(before);
  expect([await filledTables(there, TENANT), await leftOvers(world)]).toEqual([[], []]);
}

test.each(BAD)('refuses %s, and changes nothing', (_, message, wrong) =>
  expectUnchanged(async () => {
    const { source, there, target } = world;
    if (wrong.source) await source.query(wrong.source);
    if (wrong.target) await there.query(wrong.target);
    const [url, tenantId] = [wrong.url?.(world) ?? target.ownerUrl, wrong.tenantId ?? TENANT];
    expect(await refusal(url, tenantId)).toContain(message);
    // Also runs the command as a process, except for cases that change the source's row in the `environment` table.
    // That row must name the same cell as the process (CELL=eu01), or the command fails with a different message.
    if (LONG && !wrong.source?.includes('environment'))
      expect(await endOf(world.move(tenantId, { TARGET_DATABASE_URL: url }))).toEqual([
        1,
        expect.stringContaining(message),
      ]);
    if (wrong.undo) await there.query(wrong.undo);
    // Without triggers, because a begun deletion cannot be taken back.
    await source.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE tenants SET suspended_at = NULL, deletion_began_at = NULL;
      UPDATE environment SET cell = 'eu01'; COMMIT`);
  }),
);

test('refuses a standby of the other cell, and changes nothing', async () => {
  const primary = await startPostgres();
  const standby = await startStandby(primary);
  await claimEnvironment(primary.url, { environment: 'LIVE', secretKey: env().SECRET_KEY, cell: 'eu02' });
  // The superuser has all permissions, so only the check for a standby can cause the refusal.
  const url = new URL(primary.adminUrl);
  url.port = new URL(standby.url).port;
  const SCHEMAS = 'SELECT nspname FROM pg_namespace ORDER BY 1';
  const schemas = (await primary.query(SCHEMAS)).rows;
  await expectUnchanged(async () => {
    expect(await refusal(url.href, TENANT)).toBe(
      'TARGET_DATABASE_URL leads to a standby. Set it to a URL of the primary.',
    );
  });
  expect((await primary.query(SCHEMAS)).rows).toEqual(schemas);
  expect((await primary.query('SELECT FROM tenants')).rowCount).toBe(0);
  await standby.destroy();
  await primary.destroy();
}, 120_000);

test('refuses a pooler in transaction mode, and changes nothing', async () => {
  const { target, source } = world;
  const poolers = await Promise.all([startPoolerProxy(target.ownerUrl), startPoolerProxy(source.ownerUrl)]);
  const [other, own] = poolers.map(({ url }) => url);
  await expectUnchanged(async () => {
    expect(await refusal(other ?? '', TENANT)).toBe(
      'TARGET_DATABASE_URL leads through a connection pooler. Set it to the address of PostgreSQL itself.',
    );
    expect(await refusal(own ?? '', TENANT)).toContain('TARGET_DATABASE_URL leads to the database of this cell.');
  });
  // The command sent no statement that needs a session, such as one that takes a session lock. Through a pooler, the
  // lock would remain on a connection that other clients use.
  expect(poolers.map(({ problems }) => problems)).toEqual([[], []]);
  expect(poolers.every(({ statements }) => statements() > 0)).toBe(true);
  await Promise.all(poolers.map((pooler) => pooler.stop()));
});

test('refuses a tenant that the directory lists in another cell than this one', async () => {
  const { directory, target } = world;
  const text = await readFile(directory, 'utf8');
  const listedIn = (cell: string) =>
    writeFile(directory, JSON.stringify({ ...JSON.parse(text), tenants: { [TENANT]: cell } }));
  await listedIn('eu02');
  await expectUnchanged(async () => {
    expect(await refusal(target.ownerUrl, TENANT)).toBe(
      'The cell directory lists the tenant in eu02, but the database of this cell belongs to eu01. Run move with the settings of eu02, or correct the tenant’s cell in the directory.',
    );
  });
  await writeFile(directory, text);
});

test('the first command with CELL records the cell in the database, and a command with another CELL is refused', async () => {
  const { source, settings } = world;
  const cell = async () => (await source.query('SELECT cell FROM environment')).rows[0]?.cell;
  const list = (CELL?: string) => {
    const { CELL: _, ...others } = settings;
    return launch(CELL ? { ...others, CELL } : others, ['tenant', 'list']).ended();
  };
  await source.query('UPDATE environment SET cell = NULL');
  expect([await list(), await cell()]).toEqual([0, null]);
  expect([await list('eu01'), await cell()]).toEqual([0, 'eu01']);
  const refused = launch({ ...settings, CELL: 'eu02' }, ['tenant', 'list']);
  expect(await endOf(refused)).toEqual([
    1,
    expect.stringContaining('This database belongs to the cell eu01, but CELL is eu02. Set CELL to'),
  ]);
  expect(await cell()).toBe('eu01');
});

const WRONG_SETTINGS = 'refuses an empty database, a role without rights, and an invalid URL';

test.each(LONG ? [WRONG_SETTINGS] : [])('%s', async () => {
  const empty = await createEmptyDatabase();
  const { source } = world;
  const cases: [string, Record<string, string>][] = [
    ['No server has started with the database of eu02 yet.', { TARGET_DATABASE_URL: empty.ownerUrl }],
    ['does not own the database of this cell. Set MIGRATION_DATABASE_URL', { MIGRATION_DATABASE_URL: source.url }],
    ['Invalid setting: TARGET_DATABASE_URL must be a postgresql:// URL', { TARGET_DATABASE_URL: 'x' }],
  ];
  for (const [message, more] of cases)
    expect(await endOf(world.move(TENANT, more))).toEqual([1, expect.stringContaining(message)]);
  expect(await leftOvers(world)).toEqual([]);
  await empty.drop();
});
