import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { tryLock } from '@/scripts/bootstrap/lock.mjs';
import { endLaunches, type Launch, launch, removeDataDirs } from '@/tests/support/launcher';
import { startWorld, type World } from './move-command-world';
import { TENANT } from './world';

/** A tenant that the tests move from the second cell to the first. */
const BACK = newId('ten');

const WAITING = 'Another command is writing the directory. Waiting until it ends …';
/** What a command prints when it has written the directory and reloaded the proxy. */
const WRITTEN = 'Waiting 12 s for the last log entries';

let world: World;

beforeEach(async () => {
  world = await startWorld();
  const columns = 'id, name, time_zone, default_locale, locales';
  await world.there.query(`INSERT INTO tenants (${columns}) VALUES ('${BACK}', 'Back', 'UTC', 'en', '{en}')`);
}, 60_000);

afterEach(async () => {
  await endLaunches();
  await world.stop();
});

afterAll(removeDataDirs);

/** Runs `move` from the second cell to the first one. */
function moveBack(directory: string): Launch {
  const { settings, source, target } = world;
  const swapped = {
    DATABASE_URL: target.url,
    MIGRATION_DATABASE_URL: target.ownerUrl,
    TARGET_DATABASE_URL: source.ownerUrl,
    CELL: 'eu02',
  };
  const words = ['move', BACK, '--directory', directory, '--to', 'eu01', '--reload', 'true'];
  return launch({ ...settings, ...swapped }, ['tenant', ...words]);
}

test('two commands that write one directory at the same moment: both changes are kept', async () => {
  const lock = await tryLock(world.folder, `cells ${basename(world.directory)}`);
  const commands = [world.move(TENANT), moveBack(world.directory)];
  await Promise.all(commands.map((command) => command.saying(WAITING)));
  expect(await world.tenants()).toEqual({});
  if ('release' in lock) await lock.release();
  await Promise.all(commands.map((command) => command.saying(WRITTEN)));
  expect(await world.tenants()).toEqual({ [TENANT]: 'eu02', [BACK]: 'eu01' });
  // With DATABASE_URL and SECRET_KEY, commands do not use this file, so two commands cannot create it at the same time.
  expect(existsSync(join(world.settings.DATA_DIR, 'secrets.json'))).toBe(false);
}, 60_000);

test('a command waits for one that writes the same file under another path, and takes over when that one is killed', async () => {
  const link = join(world.folder, 'link.json');
  await symlink(world.directory, link);
  const first = world.move(TENANT, { reload: 'echo reloading && sleep 60' });
  await first.saying('reloading');
  const second = moveBack(link);
  await second.saying(WAITING);
  expect(await world.tenants()).toEqual({ [TENANT]: 'eu02' });
  // The command of --reload, `sleep 60`, continues after the kill, but must not keep the lock of the killed command.
  process.kill(first.pid, 'SIGKILL');
  await second.saying(WRITTEN);
  first.interrupt('SIGKILL');
  expect(first.output()).not.toContain('The command of --reload failed');
  expect(await world.tenants()).toEqual({ [TENANT]: 'eu02', [BACK]: 'eu01' });
}, 60_000);

test('a lock that a killed command held does not delay the next command', async () => {
  const first = world.move(TENANT, { reload: 'echo reloading && sleep 60' });
  await first.saying('reloading');
  process.kill(first.pid, 'SIGKILL');
  const next = moveBack(world.directory);
  await next.saying(WRITTEN);
  first.interrupt('SIGKILL');
  expect(next.output()).not.toContain(WAITING);
  expect(await world.tenants()).toEqual({ [TENANT]: 'eu02', [BACK]: 'eu01' });
}, 60_000);
