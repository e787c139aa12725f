import { readFile } from 'node:fs/promises';
import { request } from 'undici';

/** The environment variables of a server from which `readLoopDelay` can read the event loop's delay. */
export const METRICS = { METRICS_TOKEN: 'benchmarks-read-the-metrics' };

/** The delay of a server's event loop since the previous reading, in milliseconds: 99th percentile and maximum. */
export type LoopDelay = { p99: number; longest: number };

/** Reads the delay of a server's event loop since the previous reading. The server must run with `METRICS`. */
export async function readLoopDelay(port: number): Promise<LoopDelay> {
  const headers = { authorization: `Bearer ${METRICS.METRICS_TOKEN}` };
  const { body } = await request(`http://127.0.0.1:${port}/api/metrics`, { headers });
  const text = await body.text();
  const milliseconds = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)$`, 'm').exec(text)?.[1]);
  return { p99: milliseconds('p99'), longest: milliseconds('max') };
}

/**
 * Returns the number of milliseconds for which the main thread of a process was ready to run but waited for a
 * processor. Returns NaN on systems other than Linux.
 */
export async function processorWait(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1]) / 1e6;
}
