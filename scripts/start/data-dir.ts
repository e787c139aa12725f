import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import { tryLock } from '../bootstrap/lock.mjs';

/**
 * Creates a directory and its parents. Does not use Node's recursive mkdir, which never returns on file systems that
 * report an existing parent as missing.
 */
function makeDirectory(path: string): void {
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
    // The directory contains keys and passwords. An existing directory may be readable by other users, so the mode is
    // set in any case.
    chmodSync(path, 0o700);
  } catch (error) {
    throw fileProblem(error, `the data directory ${path}`) ?? error;
  }
  const lock = await tryLock(path, 'data');
  if ('release' in lock) return;
  const who = lock.holder ? `Process ${lock.holder}` : 'Another process';
  throw new StartError(`${who} is already using the data directory ${path}.`);
}
