import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, copyBinaries, findBinaries } from './binaries';
import { isRoot, type Owner, unprivilegedOwner } from './owner';
import { StartError } from './start-error';

/**
 * The directory for clusters and binaries if this process runs as root. PostgreSQL then runs as an unprivileged user,
 * who may lack access to the project directory.
 */
const STATE_DIR = '/var/lib/partner-booking';

/** The paths of an embedded server, and the user that runs it. If `owner` is null, the current user runs the server. */
export type Layout = { binaries: Binaries; cluster: string; parent: string; owner: Owner | null; logFile: string };

/** Name of the file in DATA_DIR that contains the path of the cluster. */
const RECORD = 'postgres.path';
/** Name of the file in DATA_DIR that contains the server's log. */
const LOG = 'postgres.log';

async function reachableDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  // With this mode, other users may access paths below the directory but cannot list it. The mode is set explicitly,
  // because `mkdir` applies the umask.
  await chmod(path, 0o711);
}

/**
 * Creates the directories and the copy of the binaries for a server that root starts. Returns their paths and the
 * unprivileged user that must run the server. `parent` is the directory that contains the cluster.
 */
async function makeRootLayout(dataDir: string, parent: string): Promise<Omit<Layout, 'logFile'>> {
  await reachableDirectory(STATE_DIR);
  await reachableDirectory(parent);
  // Records which data directory uses the cluster. Clusters are never deleted automatically, so operators need this
  // file to find unused clusters.
  await writeFile(join(parent, 'data-dir'), dataDir, { mode: 0o600 });
  const binaries = await copyBinaries(await findBinaries(), STATE_DIR);
  const cluster = join(parent, 'cluster');
  // An existing cluster keeps its owner, even if `unprivilegedOwner` would choose another user now.
  const existing = await stat(cluster).catch(() => null);
  const owner = existing ? { uid: existing.uid, gid: existing.gid } : await unprivilegedOwner();
  return { binaries, cluster, parent, owner };
}

/** Throws a StartError if a data directory's cluster is at a path other than `cluster`, or has disappeared. */
async function checkRecord(dataDir: string, cluster: string): Promise<void> {
  const recorded = await readFile(join(dataDir, RECORD), 'utf8').catch(() => null);
  if (recorded === null) return;
  const recordedPath = recorded.trim();
  const [atRecorded, atExpected] = await Promise.all(
    [recordedPath, cluster].map((path) => stat(path).catch(() => null)),
  );
  // Accepts a cluster at its recorded path, and a cluster that was moved together with its data directory.
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
 * Returns the layout of a data directory's embedded server. The cluster is normally in the data directory. If this
 * process runs as root, PostgreSQL runs as another user, so the cluster and a copy of the binaries are in `STATE_DIR`.
 * @param clusterId distinguishes the clusters of a deleted and a new data directory at the same path.
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
