import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Binaries, copyBinaries, findBinaries } from './binaries';
import { isRoot, type Owner, unprivilegedOwner } from './owner';
import { StartError } from './start-error';

/** Where a root start keeps clusters and binaries: a path that an unprivileged user can walk, whatever the clone's is. */
const STATE_DIR = '/var/lib/partner-booking';

/** Where the parts of one embedded server are, and who runs it (null: whoever we are). */
export type Layout = { binaries: Binaries; cluster: string; parent: string; owner: Owner | null; logFile: string };

/** Names in DATA_DIR: the record of where the cluster is, and the server's log. */
const RECORD = 'postgres.path';
const LOG = 'postgres.log';

async function reachableDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  // Explicitly, because the umask applies to mkdir: others may pass through but not look around.
  await chmod(path, 0o711);
}

/** Makes the places of a root start; `parent` is where the cluster goes. */
async function makeRootLayout(dataDir: string, parent: string): Promise<Omit<Layout, 'logFile'>> {
  await reachableDirectory(STATE_DIR);
  await reachableDirectory(parent);
  // Says whose it is to somebody who finds it; nothing is deleted because its data directory is away.
  await writeFile(join(parent, 'data-dir'), dataDir, { mode: 0o600 });
  const binaries = await copyBinaries(await findBinaries(), STATE_DIR);
  const cluster = join(parent, 'cluster');
  // A cluster belongs for good to the user that made it, also when a preferred one appears later.
  const made = await stat(cluster).catch(() => null);
  const owner = made ? { uid: made.uid, gid: made.gid } : await unprivilegedOwner();
  return { binaries, cluster, parent, owner };
}

/** Refuses a data directory whose cluster was made elsewhere, or has disappeared. */
async function checkRecord(dataDir: string, cluster: string): Promise<void> {
  const recorded = await readFile(join(dataDir, RECORD), 'utf8').catch(() => null);
  if (recorded === null) return;
  const where = recorded.trim();
  const [there, here] = await Promise.all([where, cluster].map((path) => stat(path).catch(() => null)));
  // A data directory that was moved has moved its cluster along.
  if (here && (where === cluster || !there)) return;
  if (!there) {
    // An empty database in place of a lost one would look like a good start.
    throw new StartError(
      `The database of ${dataDir} is gone from ${where}; restore it, or remove ${dataDir} to start anew.`,
    );
  }
  throw new StartError(
    `The database of ${dataDir} is in ${where} and was made by another user or for another path; start as before.`,
  );
}

/**
 * Returns where the embedded server of a data directory lives. As an ordinary user everything stays in it; as root the
 * binaries and the cluster move to a state directory, because PostgreSQL runs as another user then, who cannot enter a
 * clone below a 0700 directory. `clusterId` tells the clusters of a deleted and a new data directory of one path apart.
 * @throws StartError when the directory's cluster was made elsewhere, or has disappeared
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

/** Records in the data directory where its cluster is, now that there is one. */
export async function recordLayout(dataDir: string, layout: Layout): Promise<void> {
  await writeFile(join(dataDir, RECORD), `${layout.cluster}\n`, { mode: 0o600 });
}
