import { batched } from '../batch';
import { callPrimary, serveWorkers } from '../cluster';
import { memoryStore, type Store, type Window } from './store';

const NAME = 'rate-limit';
/** Milliseconds to wait for the primary process. After that, a worker counts in its own memory. */
const TIMEOUT = 1_000;

/** A key, and the points to add to it. If `points` is null, the call only reads the key. */
type Call = [key: string, points: number | null];

/**
 * Returns a store that all workers share. Its counts are in the memory of the primary process. One message contains
 * many calls.
 */
export function clusterStore(): Store {
  const insurance = memoryStore();
  const call = batched((calls: Call[]) => callPrimary<Window[]>(NAME, calls, TIMEOUT));
  return {
    add: (key, points) => call([key, points]).catch(() => insurance.add(key, points)),
    read: (key) => call([key, null]).catch(() => insurance.read(key)),
  };
}

/** Keeps the counts of all workers in this primary process. */
export function countForWorkers(): void {
  const store = memoryStore();
  serveWorkers(NAME, (calls: Call[]) =>
    Promise.all(calls.map(([key, points]) => (points === null ? store.read(key) : store.add(key, points)))),
  );
}
