import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import { findUser, joinUsers, tryLock, untilReleased } from '../bootstrap/lock.mjs';
import type { Run } from './supervise';

/** Names the lock that `openDataDir` takes on a data directory. A directory has a separate lock for each name. */
const DATA = 'data';
/**
 * Names a second lock on a data directory. A run of `npm start` takes this lock when it receives the stop signal, and
 * holds it until the run ends.
 */
const STOPPING = 'stopping';

/**
 * Maximum milliseconds, in addition to DRAIN_DELAY, from the stop signal until a run of `npm start` has ended: 10 s for
 * running requests and 20 s for the embedded server.
 */
const STOP_WITHIN = 30_000;

/**
 * Creates a directory and its parents. Does not use Node's recursive mkdir, which never returns on file systems that
 * report an existing parent as missing.
 */
export function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Creates the data directory and takes its lock, which is held until this process ends.
 * @throws StartError if the directory cannot be created, or if another process holds the lock
 */
export async function openDataDir(path: string): Promise<void> {
  try {
    makeDirectory(resolve(path));
    // The directory contains keys and passwords. An existing directory might be readable by other users, so the mode is
    // always set.
    chmodSync(path, 0o700);
  } catch (error) {
    throw fileProblem(error, `the data directory ${path}`) ?? error;
  }
  const lock = await tryLock(path, DATA);
  if ('release' in lock) return;
  const who = lock.holder ? `Process ${lock.holder}` : 'Another process';
  throw new StartError(`${who} is already using the data directory ${path}. Stop that process first.`);
}

/**
 * When the stop signal arrives, takes the lock `STOPPING`. A new start with this data directory then waits until this
 * run has ended.
 */
export function announceStop(path: string, { signal }: Run): void {
  signal.addEventListener('abort', () => void joinUsers(path, STOPPING), { once: true });
}

/**
 * If another run of `npm start` with this data directory is stopping, waits until that run has ended and its port is
 * free. A process manager can start a server again before the old server has completed its requests.
 * @param drainDelay the value of DRAIN_DELAY, in seconds
 */
export async function awaitStopping(path: string, drainDelay: number, say: (line: string) => void): Promise<void> {
  if (!existsSync(path)) return;
  const stopping = await findUser(path, STOPPING);
  if (stopping === null) return;
  say(`Waiting for process ${stopping}, which is stopping …`);
  await untilReleased(path, DATA, drainDelay * 1000 + STOP_WITHIN);
}
