import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
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
 * Returns the processor time of a process and all its children in milliseconds. Includes children that have ended.
 * Returns NaN on systems other than Linux.
 */
export async function processorMillisecondsOfAll(pid: number): Promise<number> {
  const statOf = (process: string | number) => readFile(`/proc/${process}/stat`, 'utf8').catch(() => '');
  const stats = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(statOf);
  const children = (await Promise.all(stats)).filter((stat) => Number(fieldsOf(stat)[1]) === pid);
  const parent = fieldsOf(await statOf(pid));
  const ended = (Number(parent[13]) + Number(parent[14])) * TICK;
  const own = (Number(parent[11]) + Number(parent[12])) * TICK;
  return children.reduce((sum, stat) => sum + fromStat(stat), own + ended);
}

/** Returns the sum of the user time and the system time in milliseconds (fields 14 and 15 of `/proc/<pid>/stat`). */
function fromStat(stat: string): number {
  const fields = fieldsOf(stat);
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** Returns the fields of `/proc/<pid>/stat` after the program name, which is in parentheses and can contain spaces. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

async function fromPs(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(pid)]);
  const seconds = stdout
    .trim()
    .split(/[-:]/)
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1000;
}
