import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Launch, launch } from './launcher';

/** Of the code under test, as `npm run package` writes it. */
export async function packageRelease(folder: string): Promise<void> {
  const packaging = launch({}, ['package', folder]);
  expect(await packaging.ended(), packaging.output()).toBe(0);
}

type Later = { version: string; migration?: { name: string; sql: string } };

/** Writes the release in `before` again, as a later version that may have one more migration. Files are hard links. */
export async function laterRelease(before: string, folder: string, { version, migration }: Later): Promise<void> {
  await promisify(execFile)('cp', ['-R', '-P', '-l', before, folder]);
  const manifest = join(folder, 'package.json');
  const { version: _, ...rest } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  // Without `rm`, the file of the other releases would change.
  await rm(manifest);
  await writeFile(manifest, JSON.stringify({ ...rest, version }));
  if (!migration) return;
  const directory = join(folder, 'prisma', 'migrations', migration.name);
  await mkdir(directory);
  await writeFile(join(directory, 'migration.sql'), migration.sql);
}

/** As `ln --symbolic --force --no-target-directory` of GNU does it: there is no moment without the link. */
export async function pointTo(current: string, folder: string): Promise<void> {
  await symlink(basename(folder), `${current}.new`);
  await rename(`${current}.new`, current);
}

type Service = { restart: () => Promise<void>; stop: () => Promise<void>; output: () => string };

/** As the unit of systemd, which sends SIGTERM to the first process and starts the release to which the link leads. */
export async function startService(current: string, settings: Record<string, string>): Promise<Service> {
  let running: Launch = launch(settings, ['start'], current);
  await running.running();
  const stop = async () => {
    process.kill(running.pid, 'SIGTERM');
    expect(await running.ended(), running.output()).toBe(0);
  };
  return {
    stop,
    output: () => running.output(),
    restart: async () => {
      await stop();
      running = launch(settings, ['start'], current);
      await running.running();
    },
  };
}
