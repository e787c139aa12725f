import { expect } from 'vitest';
import { sendRaw } from './raw';

/**
 * Maximum duration in milliseconds of a client's slowest request while another client sends hostile requests.
 * If the hostile requests take long, `MAX_DELAY_FRACTION` allows more.
 */
const MAX_DELAY = 1_000;
/**
 * The client's slowest request may take longer than `MAX_DELAY`, up to this fraction of the total duration of the
 * hostile requests. On a busy machine, the hostile requests take many seconds, and a client's request can then take
 * longer too. A server that makes the client wait for all hostile requests still fails, because the client's slowest
 * request then takes almost the total duration.
 */
const MAX_DELAY_FRACTION = 0.25;
/** Maximum number of runs. A failed run is repeated, because another process may have delayed a request. */
const RUNS = 3;

/**
 * Sends requests to the partner API one after another, from a separate address, until `work` ends. Returns the result
 * of `work`, and two durations in milliseconds: `longest` is the duration of the slowest request, and `lasted` is the
 * duration of `work`.
 */
async function besides<T>(origin: string, work: () => Promise<T>) {
  let working = true;
  let longest = 0;
  const bystander = async () => {
    while (working) {
      const begun = performance.now();
      await sendRaw(origin, '/api/partner/v1/catalog');
      longest = Math.max(longest, performance.now() - begun);
    }
  };
  const ended = bystander();
  const begun = performance.now();
  try {
    return { result: await work(), longest, lasted: performance.now() - begun };
  } finally {
    working = false;
    await ended;
  }
}

/**
 * Repeats `work` until a run does not delay another client. Fails if each of `RUNS` runs delays that client.
 * @param work receives the number of the run, starting at 1
 */
export async function unnoticed<T>(origin: string, work: (run: number) => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    const { result, longest, lasted } = await besides(origin, () => work(run));
    const limit = Math.max(MAX_DELAY, MAX_DELAY_FRACTION * lasted);
    if (longest >= limit && run < RUNS) continue;
    expect(longest).toBeLessThan(limit);
    return result;
  }
}
