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
/** Milliseconds for a checkpoint. After that, the server is stopped at once, and its next start performs a recovery. */
const FAST_STOP_MS = 20_000;
const LOG_LIMIT_BYTES = 5_000_000;
/** Operating systems use lower process ids. */
const NO_PROCESS = 2_000_000_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  password_encryption: 'scram-sha-256',
  // An acknowledged write survives a power failure.
  fsync: 'on',
  synchronous_commit: 'on',
  // Compiling one of these short queries would take longer than running it.
  jit: 'off',
};

/** Returns a TCP port that is currently free on the loopback interface. */
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

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const shown = await promisify(execFile)('ps', ['-ww', '-p', String(pid), '-o', 'args=']).catch(() => null);
  return shown?.stdout ?? '';
}

/** A zombie has a pid but no command line. Without an init process, an orphan remains a zombie after it has exited. */
async function isRunning(pid: number): Promise<boolean> {
  return isAlive(pid) && (await commandLine(pid)) !== '';
}

async function waitForExit(pid: number, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await delay(POLL_MS)) {
    if (!(await isRunning(pid))) return true;
  }
  return false;
}

/** Stops a server with SIGINT (fast), then SIGQUIT (immediate), and finally SIGKILL. */
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

/** Stops the server that a killed run left. Without the data directory's lock, this could stop another launcher's. */
export async function clearOrphan(cluster: string, log: (line: string) => void): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const lines = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number((await lines())[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return;
  if ((await commandLine(pid)).includes(cluster)) {
    log('Stopping the database server that an earlier run left behind …');
    await stopPostmaster(pid);
  }
  const [first, ...others] = await lines();
  if (Number(first) !== pid || (await commandLine(pid)).includes(cluster)) return;
  // An unrelated process now has this pid, or a killed server that no process has reaped yet, so PostgreSQL would refuse
  // to start. The other lines let PostgreSQL detect backends that still use the cluster's shared memory.
  await writeFile(file, [NO_PROCESS, ...others].join('\n'));
}

async function openLog(path: string): Promise<{ handle: Awaited<ReturnType<typeof open>>; from: number }> {
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`);
  return { handle: await open(path, 'a', 0o600), from: size > LOG_LIMIT_BYTES ? 0 : size };
}

async function readLog(path: string, from: number): Promise<string> {
  return (await readFile(path).catch(() => Buffer.alloc(0))).subarray(from).toString();
}

/** The eighth line states whether the server is ready. `pg_ctl` reads the same line. */
async function readReady(cluster: string): Promise<{ pid: number; port: number } | null> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[7]?.trim() === 'ready' ? { pid: Number(lines[0]), port: Number(lines[3]) } : null;
}

async function isReady(cluster: string, pid: number): Promise<boolean> {
  return (await readReady(cluster))?.pid === pid;
}

/** Returns the port of a cluster's server, or null if the server is not accepting connections. */
export async function readyPort(cluster: string): Promise<number | null> {
  return (await readReady(cluster))?.port ?? null;
}

/**
 * Starts a cluster's server and waits until it accepts connections, possibly after a crash recovery. It runs in its own
 * session, so that Ctrl-C ends only this process, which can then finish its requests.
 * @returns the process, or the server's log since the start if the server exited.
 * @throws StartError if PostgreSQL cannot be run.
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
    if (child.exitCode !== null || child.signalCode !== null) return await readLog(layout.logFile, from);
    await delay(POLL_MS);
  }
  return child;
}
