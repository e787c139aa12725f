/** Milliseconds after which the next batch no longer waits for the running one, whose connection may hang. */
const PATIENCE = 100;
/** Maximum calls of one batch. */
const MAX_CALLS = 1_000;

type Waiting<Call, Result> = { call: Call; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Returns a function that runs calls in batches: calls that arrive while a batch runs form the next one. A call on an
 * idle batch starts in the current turn of the event loop.
 * @param run returns one result for each call, in their order.
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
    run(batch.map(({ call }) => call))
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
