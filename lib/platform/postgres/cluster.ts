import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Layout } from './layout';
import { SUPERUSER } from './roles';
import { StartError } from './start-error';

/** A system update could change the sort order of the C library's collation and thereby corrupt indexes. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** Incomplete clusters and their password files. */
const INCOMPLETE = /^cluster\.new/;

const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** No other variables of this process, because some contain secrets, and PG* variables would configure the server. */
export const POSTGRES_ENV: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
  // The type declarations of Next.js require this variable.
  NODE_ENV: process.env.NODE_ENV,
};

async function initdb(layout: Layout, target: string, passwordFile: string, signal: AbortSignal) {
  const args = [
    `--pgdata=${target}`,
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    ...LOCALE,
  ];
  const program = join(layout.binaries.directory, 'bin', 'initdb');
  const options = { ...(layout.owner ?? {}), cwd: layout.parent, env: POSTGRES_ENV, signal };
  try {
    await promisify(execFile)(program, args, options);
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (stderr.includes('No space left on device'))
      throw new StartError('The disk is full: the database cannot be created.');
    const reason = stderr
      .trim()
      .split('\n')
      .find((line) => line.includes('error') || line.includes('FATAL'));
    throw new StartError(
      `The database cannot be created in ${layout.parent}: ${reason ?? `initdb ended with ${code}`}.`,
    );
  }
}

/**
 * Creates the cluster if it does not exist, under a temporary name until it is complete.
 * @throws StartError if it cannot be created or belongs to another major version of PostgreSQL.
 */
export async function ensureCluster(layout: Layout, password: string, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(layout.parent)) {
    // Removes what interrupted starts left. An initdb process that is still running fails without its files.
    if (INCOMPLETE.test(name)) await rm(join(layout.parent, name), REMOVE);
  }
  if (await stat(layout.cluster).catch(() => null)) return await checkVersion(layout);
  const target = join(layout.parent, `cluster.new-${randomBytes(6).toString('hex')}`);
  const passwordFile = `${target}.password`;
  await mkdir(target, { mode: 0o700 });
  await chmod(target, 0o700);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    if (layout.owner) {
      for (const path of [target, passwordFile]) await chown(path, layout.owner.uid, layout.owner.gid);
    }
    await initdb(layout, target, passwordFile, signal);
    await rename(target, layout.cluster);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(target, REMOVE);
  }
}

async function checkVersion(layout: Layout): Promise<void> {
  const clusterVersion = (await readFile(join(layout.cluster, 'PG_VERSION'), 'utf8')).trim();
  const version = layout.binaries.version.split('.')[0];
  if (clusterVersion === version) return;
  throw new StartError(
    `The database in ${layout.cluster} was created by PostgreSQL ${clusterVersion}, but this version has PostgreSQL ${version}: make a backup with the earlier version of this project and restore it into a new DATA_DIR (docs/backup.md).`,
  );
}
