import { access, constants, open, readFile, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';
import { type Directory, MAX_DIRECTORY, parseDirectory } from './directory';
import { cellOfStart } from './route';

/**
 * Reads a cell directory.
 * @throws StartError if the file cannot be read or is invalid
 */
export async function readDirectory(path: string): Promise<Directory> {
  return parseDirectory(await textOf(path));
}

/**
 * Returns the path of a cell directory (a file) with all symbolic links resolved. A command that replaces the file
 * needs this path. Otherwise, it could replace a link instead of the file.
 * @throws StartError if there is no such file
 */
export async function resolveDirectory(path: string): Promise<string> {
  return realpath(path).catch(unreadable);
}

const unreadable = ({ code }: NodeJS.ErrnoException) => {
  throw new StartError(`The cell directory cannot be read (${code}).`);
};

async function textOf(path: string): Promise<string> {
  const { size } = await stat(path).catch(unreadable);
  if (size > MAX_DIRECTORY) throw new StartError('The cell directory is larger than 16 MiB.');
  return readFile(path, 'utf8').catch(unreadable);
}

/** A tenant that is now in the cell `to`, and the first characters of each of its keys (see `startsOf`). */
export type Moved = { tenantId: string; to: string; starts: readonly string[] };

/**
 * Returns the text of a directory after a tenant was moved to another cell. The new text lists a key of the tenant only
 * if requests with this key would otherwise go to a different cell.
 * @throws StartError if the given or the new directory is invalid
 */
export function withMoved(text: string, { tenantId, to, starts }: Moved): string {
  const plain = { ...parseDirectory(text), keys: new Map() };
  const json = JSON.parse(text) as { tenants?: object; keys?: object };
  const lower = new Set(starts.map((start) => start.toLowerCase()));
  const others = Object.entries(json.keys ?? {}).filter(([start]) => !lower.has(start.toLowerCase()));
  const own = starts.flatMap((start) => (cellOfStart(plain, start).id === to ? [] : [[start, to] as const]));
  const keys = Object.fromEntries([...others, ...own]);
  const changed = `${JSON.stringify({ ...json, tenants: { ...json.tenants, [tenantId]: to }, keys }, null, 2)}\n`;
  parseDirectory(changed);
  return changed;
}

/**
 * Checks that `rewriteDirectory` can record a tenant's move to another cell. Changes nothing.
 * @throws StartError if the file cannot be read or replaced, or if the new directory would be invalid
 */
export async function checkRewrite(path: string, moved: Moved): Promise<void> {
  withMoved(await textOf(path), moved);
  await access(dirname(path), constants.W_OK).catch(cannotWrite);
}

const cannotWrite = (error: unknown) => {
  throw new StartError(`The cell directory cannot be written (${(error as NodeJS.ErrnoException).code}).`);
};

/**
 * Records a tenant's move to another cell in the file that states which cell serves a tenant. A process that reads the
 * file gets either the old or the new content, even after a crash.
 * @param path the path from `resolveDirectory`
 * @throws StartError if the file cannot be read or written, or is invalid
 */
export async function rewriteDirectory(path: string, moved: Moved): Promise<void> {
  const text = withMoved(await textOf(path), moved);
  const part = `${path}.part`;
  try {
    const file = await open(part, 'w', (await stat(path)).mode & 0o777);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    cannotWrite(error);
  }
}
