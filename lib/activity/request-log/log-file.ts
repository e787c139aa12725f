import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Another program of the file's group can forward it. Other users cannot read it. */
const MODE = 0o640;
/** A local file system appends each write as a whole. O_NONBLOCK prevents blocking on a pipe without a reader. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
/** Milliseconds. Another process may still be writing the last line. If the size stays the same, it is incomplete. */
const LOOK_AGAIN = 20;
const MAX_LOOKS = 10;

type Open = { handle: FileHandle; dev: number; ino: number };

/** Several processes append lines to it. */
export type LogFile = {
  /** Appends whole lines. @throws Error if the lines must be appended again. */
  append: (lines: readonly string[]) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Returns a file that is opened with the first lines, and created again after it was renamed or removed. Lines of which
 * only a part was written, for example to a full disk, must be appended again as a whole. `setting` contains the path.
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

/** A process can have written only a part of its batch. */
async function isTorn(handle: FileHandle): Promise<boolean> {
  let before = -1;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { size } = await handle.stat();
    if (size === 0) return false;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    // The file was truncated after `stat`, so it has no incomplete line.
    if (bytesRead === 0 || buffer[0] === 0x0a) return false;
    if (size === before) return true;
    before = size;
    await delay(LOOK_AGAIN);
  }
  return true;
}
