import { recurringWarning } from '@/lib/platform/recurring-warning';
import { type DeliveryDependencies, deliver } from './deliver';
import { leaseDue } from './lease';

/** If it were low, slow receivers could prevent all others. A waiting attempt needs little more than a connection. */
const MAX_IN_FLIGHT = 512;
const MAX_FAILING = MAX_IN_FLIGHT / 2;
/** Further attempts of an endpoint start only below this number, to limit the load of a long queue. */
const MAX_FURTHER = 48;
/** Milliseconds, so that the first attempt starts within a second after the commit. */
const POLL_INTERVAL = 400;

/** Starting more in one poll would block the event loop for a noticeable time. */
const MAX_STARTS = 64;

const unread = recurringWarning('due deliveries could not be read');

/** The value states whether the endpoint was failing when the attempt started. */
type InFlight = Map<Promise<void>, boolean>;

/** `stop` resolves when all attempts have ended. */
export type Worker = { stop: () => Promise<void> };

/** Starts the embedded worker. Several processes may run one. If a worker is killed, no delivery is lost. */
export function startWorker(dependencies: DeliveryDependencies): Worker {
  const inFlight: InFlight = new Map();
  const stopping = new AbortController();
  let wake = () => {};
  const poll = async () => {
    while (!stopping.signal.aborted) {
      const started = await startAttempts(dependencies, inFlight, () => wake());
      // More deliveries may be due, so the worker polls again without a pause.
      if (started === 0) await pause(stopping.signal, (woken) => (wake = woken));
    }
  };
  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      await Promise.all(inFlight.keys());
    },
  };
}

async function startAttempts(
  dependencies: DeliveryDependencies,
  inFlight: InFlight,
  ended: () => void,
): Promise<number> {
  const room = MAX_IN_FLIGHT - inFlight.size;
  if (room <= 0) return 0;
  const failing = [...inFlight.values()].filter(Boolean).length;
  const bounds = { failing: MAX_FAILING - failing, further: MAX_FURTHER - (inFlight.size - failing) };
  try {
    const leases = await leaseDue(dependencies.clock(), Math.min(room, MAX_STARTS), bounds);
    unread.over();
    for (const lease of leases) {
      const attempt: Promise<void> = deliver(dependencies, lease).finally(() => {
        inFlight.delete(attempt);
        ended();
      });
      inFlight.set(attempt, lease.failing);
    }
    return leases.length;
  } catch (error) {
    unread.warn(error);
    return 0;
  }
}

function pause(signal: AbortSignal, onWake: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, POLL_INTERVAL);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
    onWake(done);
  });
}
