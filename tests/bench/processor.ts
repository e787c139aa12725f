import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Milliseconds per clock tick, the unit in which Linux counts processor time. */
const TICK = 10;

/** Returns the processor time that a process has used, in milliseconds. @throws Error if it cannot be read. */
export async function processorMilliseconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const used = stat === null ? await fromPs(pid) : fromStat(stat);
  if (!(used > 0)) throw new Error('The processor time of the server could not be read.');
  return used;
}

/**
 * Returns the sum of the user time and the system time in milliseconds (fields 14 and 15 of `/proc/<pid>/stat`). The
 * program name before them is in parentheses and can contain spaces.
 */
function fromStat(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

async function fromPs(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(pid)]);
  const seconds = stdout
    .trim()
    .split(/[-:]/)
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1000;
}
