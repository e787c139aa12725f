import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Layout } from './layout';
import { StartError } from './start-error';

/** The role that owns everything in the embedded server. */
export const ROLE = 'partner_booking';

/** Sorting and case rules are PostgreSQL's own: an update of the system's C library must not break an index. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** Clusters in the making, and their password files. */
const INITIAL = /^cluster\.new/;

const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/** Nothing of our environment: no PG* variable may steer the server, and no secret of ours belongs there. */
export const POSTGRES_ENV: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
  // Only because Next's types ask for it.
  NODE_ENV: process.env.NODE_ENV,
};

async function initdb(layout: Layout, target: string, passwordFile: string, signal: AbortSignal) {
  const args = [
    `--pgdata=${target}`,
    `--username=${ROLE}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    ...LOCALE,
  ];
  const child = spawn(join(layout.binaries.directory, 'bin', 'initdb'), args, {
    ...(layout.owner ?? {}),
    cwd: layout.parent,
    env: POSTGRES_ENV,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGTERM',
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  if (complaints.includes('No space left on device'))
    throw new StartError('The disk is full: the database cannot be created.');
  const reason = complaints
    .trim()
    .split('\n')
    .find((line) => line.includes('error') || line.includes('FATAL'));
  throw new StartError(`The database cannot be created in ${layout.parent}: ${reason ?? `initdb ended with ${code}`}.`);
}

/**
 * Makes the cluster when there is none. It is made beside its place and renamed when complete: a start that dies
 * halfway leaves rubbish that the next one clears away, never half a cluster.
 * @throws StartError when it cannot be made, or belongs to another major version of PostgreSQL
 */
export async function ensureCluster(layout: Layout, password: string, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(layout.parent)) {
    // An initdb that outlived its start may still be writing; it fails for want of its files.
    if (INITIAL.test(name)) await rm(join(layout.parent, name), REMOVE);
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
  const made = (await readFile(join(layout.cluster, 'PG_VERSION'), 'utf8')).trim();
  const runs = layout.binaries.version.split('.')[0];
  if (made === runs) return;
  throw new StartError(
    `The database in ${layout.cluster} is of PostgreSQL ${made}, and this is ${runs}: make a backup with the version that made it, and restore that into a new DATA_DIR (docs/backup.md).`,
  );
}
