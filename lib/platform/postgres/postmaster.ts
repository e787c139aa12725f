import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { POSTGRES_ENV } from './cluster';
import type { Layout } from './layout';
import { StartError } from './start-error';

const POLL_MS = 25;
/** A fast shutdown writes a checkpoint; after this long it becomes an immediate one, which the next start recovers from. */
const FAST_STOP_MS = 20_000;
const LOG_LIMIT_BYTES = 5_000_000;
/** No process has a number this high on any system. */
const NO_PROCESS = 2_000_000_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  password_encryption: 'scram-sha-256',
  // A success that was answered must survive a power cut.
  fsync: 'on',
  synchronous_commit: 'on',
  // Our queries are short: compiling one costs more than running it.
  jit: 'off',
};

/** Returns a TCP port of the loopback interface that is free at this moment. */
export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The words of another process's command line; nothing when it is gone. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const shown = await promisify(execFile)('ps', ['-ww', '-p', String(pid), '-o', 'args=']).catch(() => null);
  return shown?.stdout ?? '';
}

/** An ended process that nobody has waited for (an orphan in a container without init) keeps its number, not its words. */
async function isRunning(pid: number): Promise<boolean> {
  return isAlive(pid) && (await commandLine(pid)) !== '';
}

async function waitForExit(pid: number, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await delay(POLL_MS)) {
    if (!(await isRunning(pid))) return true;
  }
  return false;
}

/** Ends a server: SIGINT is PostgreSQL's fast shutdown, which lets no client delay it; SIGQUIT the immediate one. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitForExit(pid, FAST_STOP_MS)) return;
  }
}

/**
 * Clears what a killed start left in a cluster: stops its server when that still runs. The caller holds the data
 * directory's lock, so a running server is an orphan.
 */
export async function clearOrphan(cluster: string, log: (line: string) => void): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !(await isRunning(pid))) return;
  if ((await commandLine(pid)).includes(cluster)) {
    log('Stopping the database that an earlier start left running …');
    await stopPostmaster(pid);
    return;
  }
  // The number now belongs to some other process, and PostgreSQL would refuse to start. The file must stay, because
  // its other lines let PostgreSQL detect that old backends are still attached to the cluster's shared memory.
  await writeFile(file, [NO_PROCESS, ...lines.slice(1)].join('\n'));
}

async function openLog(path: string): Promise<{ handle: Awaited<ReturnType<typeof open>>; from: number }> {
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`);
  return { handle: await open(path, 'a', 0o600), from: size > LOG_LIMIT_BYTES ? 0 : size };
}

/** Returns what the server said since `from` when it did not start. */
async function lastWords(path: string, from: number): Promise<string> {
  return (await readFile(path).catch(() => Buffer.alloc(0))).subarray(from).toString();
}

/** PostgreSQL writes its state into the eighth line of its lock file; this is how pg_ctl waits, too. */
async function readReady(cluster: string): Promise<{ pid: number; port: number } | null> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[7]?.trim() === 'ready' ? { pid: Number(lines[0]), port: Number(lines[3]) } : null;
}

async function isReady(cluster: string, pid: number): Promise<boolean> {
  return (await readReady(cluster))?.pid === pid;
}

/** Returns the port of the server that runs a cluster and accepts connections, or null when there is none. */
export async function readyPort(cluster: string): Promise<number | null> {
  return (await readReady(cluster))?.port ?? null;
}

/**
 * Starts the server of a cluster and waits until it accepts connections; recovery after a crash may take a while.
 * It runs in a session of its own: Ctrl-C in a terminal reaches every process of the group, and the database must
 * outlive the server that still drains.
 * @returns the process, or what it said when it ended instead
 */
export async function spawnPostmaster(
  layout: Layout,
  port: number,
  signal: AbortSignal,
): Promise<ChildProcess | string> {
  const { handle, from } = await openLog(layout.logFile);
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawn(join(layout.binaries.directory, 'bin', 'postgres'), ['-D', layout.cluster, ...settings], {
    ...(layout.owner ?? {}),
    cwd: layout.parent,
    env: POSTGRES_ENV,
    detached: true,
    stdio: ['ignore', handle.fd, handle.fd],
  });
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  await handle.close();
  if (child.pid === undefined) throw new StartError(`PostgreSQL cannot be run: ${(await failed).message}.`);
  while (!(await isReady(layout.cluster, child.pid))) {
    if (signal.aborted) await stopPostmaster(child.pid);
    signal.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null) return await lastWords(layout.logFile, from);
    await delay(POLL_MS);
  }
  return child;
}
