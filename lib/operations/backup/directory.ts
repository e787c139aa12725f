import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';

type Environment = 'TEST' | 'LIVE';

/** Returns the name of a backup that began `at`, such as `booking-live-20261129T023000Z.gz`. Names sort by time. */
export function backupName(environment: Environment, at: Date): string {
  return `booking-${environment.toLowerCase()}-${at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')}.gz`;
}

/** Backups, and the incomplete files of killed runs, which end with `.new` (`new-file.ts`). */
const NAME = /^booking-(test|live)-\d{8}T\d{6}Z\.gz(?:\.new)?$/;

/** Returns whether a path is an existing directory. */
export async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() ?? false;
}

/**
 * Returns the path of the newest complete backup of an environment in a directory, as of `now`.
 * @throws StartError if there is none.
 */
export async function newestBackup(directory: string, environment: Environment, now: Date): Promise<string> {
  const { complete } = await listBackups(directory, environment, backupName(environment, now));
  if (complete[0]) return join(directory, complete[0]);
  throw new StartError(`${directory} has no backup of ${environment} that npm run backup named.`);
}

/**
 * Removes all but the `keep` newest backups of an environment from a directory, and incomplete files that are older
 * than those. `newest` is the name of the backup that was just made, which always stays. Other files stay. Returns the
 * names of the removed files.
 */
export async function pruneBackups(
  directory: string,
  environment: Environment,
  keep: number,
  newest: string,
): Promise<string[]> {
  const { all, complete } = await listBackups(directory, environment, newest);
  const oldest = complete[keep - 1];
  const removed = oldest === undefined ? [] : all.filter((name) => name < oldest);
  for (const name of removed) await rm(join(directory, name), { force: true });
  return removed;
}

/**
 * From the newest to the oldest. Later names than `newest`, which a wrong clock has made, do not count: they would be
 * the newest for years. Neither do directories and links, which are no files of `npm run backup`.
 */
async function listBackups(directory: string, environment: Environment, newest: string) {
  const files = (await readdir(directory, { withFileTypes: true })).filter((file) => file.isFile());
  const all = files
    .map(({ name }) => name)
    .filter((name) => NAME.exec(name)?.[1] === environment.toLowerCase() && name <= newest);
  all.sort().reverse();
  return { all, complete: all.filter((name) => name.endsWith('.gz')) };
}
