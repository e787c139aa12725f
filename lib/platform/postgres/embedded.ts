import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureCluster } from './cluster';
import { findLayout, type Layout, recordLayout } from './layout';
import { clearOrphan, freePort, readyPort, spawnPostmaster, stopPostmaster } from './postmaster';
import { DATABASE, ensureDatabase, OWNER, rolePassword, SERVER, SUPERUSER } from './roles';
import { fileProblem, StartError } from './start-error';

const ATTEMPTS = 20;

export type EmbeddedSecrets = { password: string; clusterId: string };

export type EmbeddedOptions = {
  /** Must exist, and the caller must hold its lock. */
  dataDir: string;
  secrets: EmbeddedSecrets;
  log: (line: string) => void;
  /** Aborts the start. All child processes are stopped before `startEmbedded` rejects. */
  signal: AbortSignal;
};

/** `url` has the role of the servers, and `ownerUrl` the role that owns the database. */
type EmbeddedUrls = { url: string; ownerUrl: string };

export type Embedded = EmbeddedUrls & {
  /** Contains the superuser's name and password. Only tests and tools use it. */
  adminUrl: string;
  pid: number;
  /** Resolves when the server has exited for any reason. */
  exited: Promise<void>;
  stop: () => Promise<void>;
  /** Stops the server and deletes its data. Only tests use it. */
  destroy: () => Promise<void>;
};

/** Another process may take the port, and backends of an earlier server may still be exiting. */
async function spawnWithRetries(layout: Layout, signal: AbortSignal): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const child = await spawnPostmaster(layout, port, signal);
    if (typeof child !== 'string') return { child, port };
    if (child.includes('No space left on device')) throw new StartError('The disk is full: the database cannot start.');
    const transient = /could not create any TCP\/IP sockets|pre-existing shared memory block/.test(child);
    if (!transient || attempt === ATTEMPTS) {
      const reason = child.split('\n').find((line) => /FATAL|PANIC/.test(line)) ?? 'no reason given';
      throw new StartError(
        `The database did not start (${reason.replace(/^.*(FATAL|PANIC):\s*/, '')}); see ${layout.logFile}.`,
      );
    }
    await delay(500);
  }
}

async function openDatabase(port: number, password: string, dataDir: string): Promise<void> {
  try {
    await ensureDatabase({ port, password });
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new StartError(
      `The database does not accept the password in ${dataDir}/secrets.json; restore that file from your backup.`,
    );
  }
}

function urlOf(port: number, user: string, password: string): string {
  return `postgresql://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function urlsOf(port: number, { password }: EmbeddedSecrets): EmbeddedUrls {
  const [url = '', ownerUrl = ''] = [SERVER, OWNER].map((role) => urlOf(port, role, rolePassword(password, role)));
  return { url, ownerUrl };
}

/** Returns the URLs of another process's embedded server. @throws StartError if it accepts no connections. */
export async function findEmbedded(dataDir: string, secrets: EmbeddedSecrets): Promise<EmbeddedUrls> {
  const { cluster } = await findLayout(dataDir, secrets.clusterId);
  const port = await readyPort(cluster);
  if (port === null)
    throw new StartError(
      `The database of ${dataDir} is starting or stopping. Run this command again in a few seconds.`,
    );
  return urlsOf(port, secrets);
}

/**
 * Starts the embedded PostgreSQL of a data directory on a free loopback port, after a cleanup of what a killed process
 * left behind.
 * @throws StartError if the server cannot start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, secrets, log, signal } = options;
  try {
    const layout = await findLayout(dataDir, secrets.clusterId);
    await clearOrphan(layout.cluster, log);
    await ensureCluster(layout, secrets.password, signal);
    await recordLayout(dataDir, layout);
    const { child, port } = await spawnWithRetries(layout, signal);
    const pid = child.pid ?? 0;
    const exited = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve();
      child.once('exit', () => resolve());
    });
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null) await stopPostmaster(pid);
    };
    try {
      await openDatabase(port, secrets.password, dataDir);
      signal.throwIfAborted();
    } catch (error) {
      await stop();
      throw error;
    }
    const destroy = async () => {
      await stop();
      await rm(layout.owner ? layout.parent : layout.cluster, { recursive: true, force: true });
    };
    const adminUrl = urlOf(port, SUPERUSER, secrets.password);
    return { ...urlsOf(port, secrets), adminUrl, pid, exited, stop, destroy };
  } catch (error) {
    throw fileProblem(error, `the database of ${dataDir}`) ?? error;
  }
}
