import { outsideScopes } from './tenant-scope';

/** Milliseconds that a batch waits for the previous one, whose connection may be hung. */
const PATIENCE = 100;
const MAX_CALLS = 1_000;

type Waiting<Call, Result> = { call: Call; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Returns a function that passes its calls to `run` in batches: those of one turn of the event loop, or those that
 * arrived while the previous batch ran. `run` returns one result per call, in order. If it rejects, all its calls
 * reject.
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
