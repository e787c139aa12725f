import { outsideScopes } from './tenant-scope';

/**
 * Maximum milliseconds that a batch waits for the previous batch to end. After that, the waiting batch starts anyway,
 * because the connection of the previous batch may be hung.
 */
const PATIENCE = 100;
/** Maximum number of calls in one batch. */
const MAX_CALLS = 1_000;

type Waiting<Call, Result> = { call: Call; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Returns a function that collects its calls and passes them to `run` in batches. Calls that arrive while a batch is
 * running form the next batch. Otherwise, all calls in the current turn of the event loop form one batch.
 * @param run returns one result for each call, in the order of the calls. If `run` rejects, all calls in the batch
 *   reject.
 */
export function batched<Call, Result>(run: (calls: Call[]) => Promise<Result[]>): (call: Call) => Promise<Result> {
  const waiting: Waiting<Call, Result>[] = [];
  let running: object | null = null;
  const start = () => {
    if (running || waiting.length === 0) return;
    const batch = waiting.splice(0, MAX_CALLS);
    const current = {};
    running = current;
    const next = () => {
      if (running !== current) return;
      running = null;
      start();
    };
    const timer = setTimeout(next, PATIENCE);
    const settle = (results: Result[]) => {
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    };
    outsideScopes(() => run(batch.map(({ call }) => call)))
      .then(settle)
      .catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
      })
      .finally(() => {
        clearTimeout(timer);
        next();
      });
  };
  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (waiting.length === 1 && !running) setImmediate(start);
    });
}
