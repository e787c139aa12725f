import { batched } from '../batch';
import { callPrimary, serveWorkers } from '../cluster';
import { memoryStore, type Store, type Window } from './store';

const NAME = 'rate-limit';
/** Maximum milliseconds to wait for the primary process. After that, the worker uses the counts in its own memory. */
const TIMEOUT = 1_000;

/** A call to the store: a key, and the points to add to its count. If `points` is null, the count is only read. */
type Call = [key: string, points: number | null];

/**
 * Returns a store whose counts are in the primary process's memory. A worker sends its calls to the primary process in
 * batches, one message per batch.
 */
export function clusterStore(): Store {
  const insurance = memoryStore();
  const call = batched((calls: Call[]) => callPrimary<Window[]>(NAME, calls, TIMEOUT));
  return {
    add: (key, points) => call([key, points]).catch(() => insurance.add(key, points)),
    read: (key) => call([key, null]).catch(() => insurance.read(key)),
  };
}

/** Makes this primary process keep the rate-limit counts of all workers. */
export function countForWorkers(): void {
  const store = memoryStore();
  serveWorkers(NAME, (calls: Call[]) =>
    Promise.all(calls.map(([key, points]) => (points === null ? store.read(key) : store.add(key, points)))),
  );
}
