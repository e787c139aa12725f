import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';

type Write = (chunks: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Runs `work`, which writes a new compressed file with mode 0600. The file gets its final name after `work`. After an
 * error, nothing remains. `kind` is a plural noun for the error message, such as `backups`.
 * @throws StartError if the file exists or cannot be written.
 */
export async function writeNewFile<T>(
  path: string,
  kind: string,
  signal: AbortSignal,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  if (existsSync(path))
    throw new StartError(`${path} already exists, and ${kind} are never overwritten. Specify a different file.`);
  const temporary = `${resolve(path)}.new`;
  try {
    const result = await work(async (chunks) => {
      // An interrupted run may have left this file. If another process creates it again first, the flag wx makes this
      // process fail.
      await rm(temporary, { force: true });
      const file = createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(Readable.from(chunks), createGzip(), file, { signal });
    });
    await rename(temporary, path);
    return result;
  } catch (error) {
    // The error that caused the removal is reported instead.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileProblem(error, path) ?? error;
  }
}
