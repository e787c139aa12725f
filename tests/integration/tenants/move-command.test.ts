import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveTenant } from '@/lib/operations/tenants/move/move';
import { newId } from '@/lib/platform/ids';
import { parseCommand } from '@/scripts/tenant/command';
import { runCommand } from '@/scripts/tenant/run';
import { createEmptyDatabase } from '@/tests/support/database';
import { endLaunches, type Launch, removeDataDirs } from '@/tests/support/launcher';
import { repeats } from '@/tests/support/soak';
import {
  activeIn,
  contentOf,
  filledTables,
  killAt,
  leftOvers,
  NAME,
  PLACES,
  type PlaceName,
  startWorld,
  type World,
} from './move-command-world';
import { OTHER, SHARED_USER, TENANT } from './world';

/** Whether the long versions of the tests run, as with `npm run test:soak`. */
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
    'There is no tenant with this ID. npm run tenant -- list shows the IDs.',
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
 * the error, or an empty string.
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

test.each(BAD)('refuses %s, and changes nothing', async (_, message, wrong) => {
  const { source, there, directory, target } = world;
  const [content, text] = [await contentOf(source, TENANT), await readFile(directory, 'utf8')];
  if (wrong.source) await source.query(wrong.source);
  if (wrong.target) await there.query(wrong.target);
  const [url, tenantId] = [wrong.url?.(world) ?? target.ownerUrl, wrong.tenantId ?? TENANT];
  expect(await refusal(url, tenantId)).toContain(message);
  if (LONG)
    expect(await endOf(world.move(tenantId, { TARGET_DATABASE_URL: url }))).toEqual([
      1,
      expect.stringContaining(message),
    ]);
  if (wrong.undo) await there.query(wrong.undo);
  await source.query('UPDATE tenants SET suspended_at = NULL, deletion_began_at = NULL');
  expect(await contentOf(source, TENANT)).toEqual(content);
  expect([await filledTables(there, TENANT), await leftOvers(world)]).toEqual([[], []]);
  expect(await readFile(directory, 'utf8')).toBe(text);
});

const WRONG_SETTINGS = 'refuses an empty database, a role without rights, the own cell, and an invalid URL';

test.each(LONG ? [WRONG_SETTINGS] : [])('%s', async () => {
  const empty = await createEmptyDatabase();
  const { source } = world;
  const cases: [string, Record<string, string>][] = [
    ['No server has started with the database of eu02 yet.', { TARGET_DATABASE_URL: empty.ownerUrl }],
    ['does not own the database of this cell. Set MIGRATION_DATABASE_URL', { MIGRATION_DATABASE_URL: source.url }],
    ['eu02 is this cell. --to must be another cell.', { CELL: 'eu02' }],
    ['Invalid setting: TARGET_DATABASE_URL must be a postgresql:// URL', { TARGET_DATABASE_URL: 'x' }],
  ];
  for (const [message, more] of cases)
    expect(await endOf(world.move(TENANT, more))).toEqual([1, expect.stringContaining(message)]);
  expect(await leftOvers(world)).toEqual([]);
  await empty.drop();
});

/** Writes a program `nginx` that only prints its arguments. Returns the documented command for `--reload`. */
async function reloadCommand(): Promise<string> {
  const bin = join(world.folder, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'nginx'), '#!/bin/sh\necho "nginx $*"\n');
  await chmod(join(bin, 'nginx'), 0o755);
  return `PATH="${bin}:$PATH" deploy/nginx/reload-cells ${world.directory} ${world.folder}/cells.conf`;
}

const settle = 0;

test('a move that is killed, aborted, and killed again loses nothing, and other moves wait', async () => {
  const { source, there } = world;
  await killAt(world, 'copying', TENANT, () => source.query(`UPDATE locations SET city = 'Changed'`));
  expect([await activeIn(world, TENANT), await filledTables(there, TENANT)]).toEqual([['eu01'], []]);
  const content = await contentOf(source, TENANT);
  expect(content.locations).toEqual([expect.objectContaining({ city: 'Changed' })]);
  await killAt(world, 'entering', TENANT, () =>
    expect(source.query(`UPDATE locations SET city = 'Lost'`)).rejects.toThrow('Another cell serves the tenant.'),
  );
  expect(await activeIn(world, TENANT)).toEqual([]);
  const copied = await contentOf(there, TENANT);
  expect(copied).toEqual(content);
  const rows = Object.values(content).flat().length;
  expect(await endOf(world.abort(TENANT))).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `\\nThe move was aborted. .* \\(${TENANT}\\) is active here. Its copy in eu02 was deleted: \\d+ rows in`,
      ),
    ),
  ]);
  expect(rows).toBeGreaterThan(40);
  expect([await activeIn(world, TENANT), await leftOvers(world)]).toEqual([['eu01'], []]);
  expect(await filledTables(there, TENANT)).toEqual([]);
  const { rows: accounts } = await there.query('SELECT id, name FROM users');
  expect(accounts).toEqual([{ id: SHARED_USER, name: 'Kept' }]);
  await killAt(world, 'reloading', TENANT);
  expect([await activeIn(world, TENANT), await world.tenants()]).toEqual([['eu02'], { [TENANT]: 'eu02' }]);
  const moving = world.move(TENANT, { reload: await reloadCommand() });
  await moving.saying('Waiting 12 s');
  const otherMoving = world.move(OTHER);
  const [same] = await Promise.all([
    endOf(world.move(TENANT)),
    otherMoving.saying('Another tenant is being moved from this cell. Waiting until that move ends …'),
  ]);
  expect(same).toEqual([1, 'Another command is moving this tenant now. Run move again if that command fails.']);
  const [code, output] = await endOf(moving);
  expect([code, output]).toEqual([0, expect.stringContaining('nginx -s reload\n')]);
  expect(output).toMatch(
    /is now in eu02\. Delete the old copy in this cell later: npm run tenant -- delete ten_\w{26} --confirm 'Olga’s "Salon" and Olga'\\''s Spa'$/,
  );
  expect(await readFile(join(world.folder, 'cells.conf'), 'utf8')).toMatch(
    /^# Generated by [\s\S]*\tpbk_test_eu0100000001 cell_eu02;\n/,
  );
  await otherMoving.saying('Copied');
  otherMoving.interrupt('SIGINT');
  expect(await endOf(otherMoving)).toEqual([
    130,
    expect.stringContaining('The command was interrupted. No data is lost. Run the same command again to continue.'),
  ]);
  const { source: from, target: to, directory } = world;
  const urls = { sourceUrl: from.ownerUrl, targetUrl: to.ownerUrl };
  const { signal } = new AbortController();
  await moveTenant({ ...urls, tenantId: OTHER, directory, to: 'eu02' }, { signal, settle });
  for (const tenantId of [TENANT, OTHER]) {
    expect(await activeIn(world, tenantId)).toEqual(['eu02']);
    expect(await contentOf(there, tenantId)).toEqual(await contentOf(source, tenantId));
  }
  expect(await contentOf(there, TENANT)).toEqual(content);
  expect(await leftOvers(world)).toEqual([]);
  expect(await world.tenants()).toEqual({ [TENANT]: 'eu02', [OTHER]: 'eu02' });
});

const AFTER = ['again', 'abort'] as const;
const KILLS = (Object.keys(PLACES) as PlaceName[]).flatMap((place) => AFTER.map((then) => [place, then] as const));

test.each(LONG ? KILLS : [])('a move that is killed while %s: %s', async (place, then) => {
  const own = await startWorld();
  const { source, there } = own;
  const content = await contentOf(source, TENANT);
  await killAt(own, place, TENANT);
  const active = await activeIn(own, TENANT);
  expect(active.length).toBeLessThan(2);
  const abort = async () => endOf(own.abort(TENANT));
  const ends = then === 'again' || active[0] === 'eu02';
  if (then === 'abort' && ends)
    expect(await abort()).toEqual([1, expect.stringContaining('is active in eu02. Run move again to finish.')]);
  expect(await (ends ? endOf(own.move(TENANT)) : abort())).toEqual([0, expect.any(String)]);
  expect(await activeIn(own, TENANT)).toEqual([ends ? 'eu02' : 'eu01']);
  expect(await contentOf(source, TENANT)).toEqual(content);
  if (ends) expect(await contentOf(there, TENANT)).toEqual(content);
  else expect(await filledTables(there, TENANT)).toEqual([]);
  expect(await leftOvers(own)).toEqual([]);
  await own.stop();
});

const WITH_NPM = 'the commands of docs/cells.md move a tenant with npm, and print its origin';

test.each(LONG ? [WITH_NPM] : [])('%s', async () => {
  const own = await startWorld();
  const page = await readFile('docs/cells.md', 'utf8');
  const run = async (pattern: RegExp) => {
    const text = (pattern.exec(page)?.[0] ?? '')
      .replaceAll('deploy/nginx/cells.json', own.directory)
      .replaceAll(/ten_\w{26}/g, TENANT)
      .replace(' cells.json', ` ${own.directory}`)
      .replace('./reload-proxy', 'true');
    const { stdout } = await promisify(execFile)('sh', ['-c', text], { env: { ...process.env, ...own.settings } });
    return stdout.trim().split('\n').at(-1);
  };
  expect(await run(/^ENVIRONMENT=LIVE npm run tenant -- move .* --reload .*$/m)).toContain(
    'is now in eu02. Writes waited',
  );
  expect(await run(/^npm run cells -- tenant .*$/m)).toBe('https://3002.example');
  expect(await activeIn(own, TENANT)).toEqual(['eu02']);
  await own.stop();
});
