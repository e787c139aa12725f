import { expect } from 'vitest';
import { sendRaw } from './raw';

/** Limit in milliseconds for the slowest request of a client while others send hostile requests. See also `PART`. */
const NOTICEABLE = 1_000;
/**
 * The limit as a fraction of the total duration of the hostile requests. It applies if it is higher than `NOTICEABLE`,
 * which happens on a busy machine, where the hostile requests take many seconds. A client that is served only after all
 * hostile requests would wait almost the whole duration.
 */
const PART = 0.25;
/** Maximum number of runs. Other processes on a busy machine may delay any single request. */
const RUNS = 3;

/**
 * Sends requests to the partner API one after the other, from a separate address, until `work` ends. Returns the result
 * of `work`, and two durations in milliseconds: `longest` for the slowest request and `lasted` for `work`.
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
 * Runs `work` while another client sends requests, and asserts that `work` does not delay the other client noticeably.
 * If it does, runs `work` again, at most `RUNS` times in total. Returns the result of `work`.
 * @param work receives the number of the run, starting at 1
 */
export async function unnoticed<T>(origin: string, work: (run: number) => Promise<T>): Promise<T> {
  for (let run = 1; ; run += 1) {
    const { result, longest, lasted } = await besides(origin, () => work(run));
    const limit = Math.max(NOTICEABLE, PART * lasted);
    if (longest >= limit && run < RUNS) continue;
    expect(longest).toBeLessThan(limit);
    return result;
  }
}
