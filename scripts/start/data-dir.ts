import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import { tryLock } from '../bootstrap/lock.mjs';

/** Node's own recursive mkdir never returns where the system answers that the parent is missing although it is there. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/**
 * Creates the data directory and takes its lock, which lasts as long as this process.
 * @throws StartError when it cannot be made, or another start uses it
 */
export async function openDataDir(path: string): Promise<void> {
  try {
    makeDirectory(resolve(path));
    // Keys and sign-ins are in it; a directory that existed may be more open.
    chmodSync(path, 0o700);
  } catch (error) {
    throw fileProblem(error, `the data directory ${path}`) ?? error;
  }
  const lock = await tryLock(path, 'data');
  if ('release' in lock) return;
  const who = lock.holder ? ` (process ${lock.holder})` : '';
  throw new StartError(`Another start${who} is already using the data directory ${path}.`);
}
