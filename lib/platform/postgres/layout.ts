import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, copyBinaries, findBinaries } from './binaries';
import { isRoot, type Owner, unprivilegedOwner } from './owner';
import { StartError } from './start-error';

/**
 * The directory for clusters and binaries if this process runs as root. PostgreSQL then runs as an unprivileged user,
 * who may lack access to the directory of the project.
 */
const STATE_DIR = '/var/lib/partner-booking';

/** The paths of an embedded server, and the user who runs it. A null `owner` is the current user. */
export type Layout = { binaries: Binaries; cluster: string; parent: string; owner: Owner | null; logFile: string };

/** Names of two files in DATA_DIR: the record of the cluster's path, and the server's log. */
const RECORD = 'postgres.path';
const LOG = 'postgres.log';

async function reachableDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  // `mkdir` applies the umask, so the mode is set explicitly. Other users may access paths below the directory but not
  // list it.
  await chmod(path, 0o711);
}

/** Creates the directories that a start as root needs. `parent` is the directory that contains the cluster. */
async function makeRootLayout(dataDir: string, parent: string): Promise<Omit<Layout, 'logFile'>> {
  await reachableDirectory(STATE_DIR);
  await reachableDirectory(parent);
  // This file tells administrators which data directory the cluster belongs to, so that they can delete an unused
  // cluster. Nothing deletes clusters automatically.
  await writeFile(join(parent, 'data-dir'), dataDir, { mode: 0o600 });
  const binaries = await copyBinaries(await findBinaries(), STATE_DIR);
  const cluster = join(parent, 'cluster');
  // An existing cluster keeps its owner, even if `unprivilegedOwner` would choose another user now.
  const existing = await stat(cluster).catch(() => null);
  const owner = existing ? { uid: existing.uid, gid: existing.gid } : await unprivilegedOwner();
  return { binaries, cluster, parent, owner };
}

/** Rejects a data directory whose cluster was created elsewhere or has disappeared. */
async function checkRecord(dataDir: string, cluster: string): Promise<void> {
  const recorded = await readFile(join(dataDir, RECORD), 'utf8').catch(() => null);
  if (recorded === null) return;
  const recordedPath = recorded.trim();
  const [atRecorded, atExpected] = await Promise.all(
    [recordedPath, cluster].map((path) => stat(path).catch(() => null)),
  );
  // Either the cluster is where it was recorded, or it was moved together with its data directory.
  if (atExpected && (recordedPath === cluster || !atRecorded)) return;
  if (!atRecorded) {
    // Creating an empty database here would hide the loss.
    throw new StartError(
      `The database of ${dataDir} is missing from ${recordedPath}; restore it, or remove ${dataDir} to start over.`,
    );
  }
  throw new StartError(
    `The database of ${dataDir} is in ${recordedPath} and was created by another user or for another path; start as that user and with that path.`,
  );
}

/**
 * Returns the layout of a data directory's embedded server. For an ordinary user, all its files are in the data
 * directory. For root, the binaries and the cluster are in a separate directory, because PostgreSQL then runs as
 * another user, who may lack access to the data directory. `clusterId` distinguishes the cluster of a deleted data
 * directory from that of a new one at the same path.
 * @throws StartError if the directory's cluster was created elsewhere or has disappeared
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

/** Records the path of the cluster in its data directory. */
export async function recordLayout(dataDir: string, layout: Layout): Promise<void> {
  await writeFile(join(dataDir, RECORD), `${layout.cluster}\n`, { mode: 0o600 });
}
