import { batched } from '../batch';
import { callPrimary, serveWorkers } from '../cluster';
import { memoryStore, type Store, type Window } from './store';

const NAME = 'rate-limit';
/** Milliseconds after which a worker counts by itself. */
const TIMEOUT = 1_000;

/** A key, and the points to add; null reads it. */
type Call = [key: string, points: number | null];

/** Returns a store in the memory of the primary process, which all workers share. One message carries many calls. */
export function clusterStore(): Store {
  const insurance = memoryStore();
  const call = batched((calls: Call[]) => callPrimary<Window[]>(NAME, calls, TIMEOUT));
  return {
    add: (key, points) => call([key, points]).catch(() => insurance.add(key, points)),
    read: (key) => call([key, null]).catch(() => insurance.read(key)),
  };
}

/** Counts for the workers of this primary process. */
export function countForWorkers(): void {
  const store = memoryStore();
  serveWorkers(NAME, (calls: Call[]) =>
    Promise.all(calls.map(([key, points]) => (points === null ? store.read(key) : store.add(key, points)))),
  );
}
