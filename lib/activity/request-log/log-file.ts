import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The file's group can read the file, so that another program can forward it. Other users cannot. */
const MODE = 0o640;
/**
 * With O_APPEND, several processes can write to the same file, because a local file system appends each write as a
 * whole. O_NONBLOCK prevents blocking if the path is a pipe without a reader.
 */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
/**
 * Another process may still be writing the last line of a file if there is no line break at its end. The file is
 * therefore checked again after this many milliseconds. If its size is still the same, the line will stay incomplete.
 */
const LOOK_AGAIN = 20;
/** Maximum number of times that `isTorn` reads the last byte of the file. */
const MAX_LOOKS = 10;

type Open = { handle: FileHandle; dev: number; ino: number };

/** A file to which several processes append lines. */
export type LogFile = {
  /**
   * Appends whole lines.
   * @throws Error if the lines must be appended again.
   */
  append: (lines: readonly string[]) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Returns a file that is opened with the first lines. If the file was renamed or removed, the next lines create a new
 * file. If the file was truncated, they are written at the new end. Lines of which only a part was written, for example
 * because the disk was full, must be appended again as a whole.
 * @param path the absolute path of the file.
 * @param setting the setting that contains the path.
 */
export function logFile(path: string, setting: string): LogFile {
  let current: Open | null = null;
  const close = async () => {
    const { handle } = current ?? {};
    current = null;
    await handle?.close();
  };
  return {
    append: async (lines) => {
      if (current && !(await isAt(path, current))) await close();
      current ??= await openFile(path, setting);
      const { handle } = current;
      const bytes = Buffer.from(((await isTorn(handle)) ? '\n' : '') + lines.join(''));
      const { bytesWritten } = await handle.write(bytes);
      if (bytesWritten < bytes.length) throw new Error('Only part of the lines was written.');
    },
    close,
  };
}

async function openFile(path: string, setting: string): Promise<Open> {
  const handle = await open(path, FLAGS, MODE);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, dev: stats.dev, ino: stats.ino };
  await handle.close();
  throw new Error(`${setting} must be the path of a regular file.`);
}

async function isAt(path: string, { dev, ino }: Open): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.dev === dev && found.ino === ino;
}

/** Returns whether the last line of the file is incomplete, because a process wrote only a part of its batch. */
async function isTorn(handle: FileHandle): Promise<boolean> {
  let before = -1;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { size } = await handle.stat();
    if (size === 0) return false;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    // If `bytesRead` is 0, the file was truncated after `stat`, so it has no incomplete line.
    if (bytesRead === 0 || buffer[0] === 0x0a) return false;
    if (size === before) return true;
    before = size;
    await delay(LOOK_AGAIN);
  }
  return true;
}
