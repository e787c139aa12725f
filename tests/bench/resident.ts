import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Returns the resident memory of a process in MiB. @throws Error if it cannot be read. */
export async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const text =
    status?.match(/VmRSS:\s*(\d+)/)?.[1] ?? (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout;
  const kibibytes = Number(text);
  if (!(kibibytes > 0)) throw new Error('The memory of the server could not be read.');
  return kibibytes / 1024;
}
