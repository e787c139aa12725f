import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import { readRelease } from '@/lib/platform/release';
import { LAST_USE } from '../bootstrap/downgrade.mjs';
import { findUser, joinUsers, type Lock, tryLock, untilReleased } from '../bootstrap/lock.mjs';
import type { Run } from './supervise';

const DATA = 'data';
/** Held from the stop signal to the end of a run of `npm start`. */
const STOPPING = 'stopping';

/** Milliseconds besides DRAIN_DELAY: 10 s for running requests and 20 s for the embedded server. */
const STOP_WITHIN = 30_000;

/** Node's recursive mkdir never returns on file systems that report an existing parent as missing. */
export function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Creates the data directory and takes its lock, which is held until it is released or this process ends. `advice` says
 * what to do if another process holds it.
 * @throws StartError if the directory cannot be created, or if another process holds the lock
 */
export async function openDataDir(path: string, advice = 'Stop that process first.'): Promise<Lock> {
  try {
    makeDirectory(resolve(path));
    // The directory contains keys and passwords. An existing one might be readable by other users.
    chmodSync(path, 0o700);
  } catch (error) {
    throw fileProblem(error, `the data directory ${path}`) ?? error;
  }
  const lock = await tryLock(path, DATA);
  if ('release' in lock) return lock;
  const who = lock.holder ? `Process ${lock.holder}` : 'Another process';
  throw new StartError(`${who} is already using the data directory ${path}. ${advice}`);
}

/** Records the version and the newest migration, so that an older version refuses to start before it installs anything. */
export function recordUse(root: string, path: string): void {
  const migration = readdirSync(join(root, 'prisma', 'migrations'))
    .filter((name) => /^\d/.test(name))
    .sort()
    .at(-1);
  const { version } = readRelease(root);
  writeFileSync(join(path, LAST_USE), `${JSON.stringify({ version, migration })}\n`, { mode: 0o600 });
}

/** A new start with this data directory then waits until this run has ended. */
export function announceStop(path: string, { signal }: Run): void {
  signal.addEventListener('abort', () => void joinUsers(path, STOPPING), { once: true });
}

/**
 * Waits until a run that is stopping has freed its port: a process manager can start a server again before.
 * `drainDelay` is in seconds.
 */
export async function awaitStopping(path: string, drainDelay: number, say: (line: string) => void): Promise<void> {
  if (!existsSync(path)) return;
  const stopping = await findUser(path, STOPPING);
  if (stopping === null) return;
  say(`Waiting for process ${stopping}, which is stopping …`);
  await untilReleased(path, DATA, drainDelay * 1000 + STOP_WITHIN);
}
