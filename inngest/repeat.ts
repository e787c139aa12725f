import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/platform/log';

/** Milliseconds before the first retry after a failure. */
const FIRST_PAUSE = 800;
/** Maximum number of milliseconds between two retries. */
const MAX_PAUSE = 30_000;

/**
 * Calls `work` until the signal aborts. `work` returns the milliseconds until the next call. A failure is logged with
 * `problem`, and the pause doubles with each consecutive failure, up to `MAX_PAUSE`.
 */
export async function repeat(signal: AbortSignal, problem: string, work: () => Promise<number>): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let pause: number;
    try {
      pause = await work();
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      log().warn({ err: error }, problem);
      pause = Math.min(FIRST_PAUSE * 2 ** failures, MAX_PAUSE);
      failures += 1;
    }
    // `delay` rejects if the signal aborts. The rejection is ignored, because the `while` condition then ends the
    // loop.
    if (pause > 0) await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}
