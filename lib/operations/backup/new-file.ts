import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';

/** Compresses the chunks and writes them to the new file. */
type Write = (chunks: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Runs `work`, which writes a new compressed file with mode 0600. The file gets its final name only after `work` has
 * ended without an error. Otherwise, nothing remains.
 * @param kind a plural noun for the error message, such as `backups`.
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
      // Removes the temporary file of an interrupted run. Another process could create this file again before this
      // process does. The flag wx then makes this process fail.
      await rm(temporary, { force: true });
      const file = createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true });
      await pipeline(Readable.from(chunks), createGzip(), file, { signal });
    });
    await rename(temporary, path);
    return result;
  } catch (error) {
    // If the removal fails, its error is ignored. The error that caused the removal is reported.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileProblem(error, path) ?? error;
  }
}
