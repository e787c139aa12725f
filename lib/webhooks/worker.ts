import { log } from '@/lib/platform/log';
import { type DeliveryDependencies, deliver } from './deliver';
import { leaseDue } from './lease';

/** Attempts under way in this process. */
const MAX_IN_FLIGHT = 64;
/** Milliseconds between looks for what is due: a first attempt follows its commit within a second. */
const LOOK_EVERY = 400;

/** A worker that runs until it is stopped. */
export type Worker = { stop: () => Promise<void> };

/**
 * Starts the embedded worker: begins what is due, as much as may be under way, and looks again when something ends
 * and every 400 ms. Several processes may run one each; killing it at any moment loses nothing.
 */
export function startWorker(dependencies: DeliveryDependencies): Worker {
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  let wake = () => {};
  const look = async () => {
    while (!stopping.signal.aborted) {
      const begun = await begin(dependencies, inFlight, () => wake());
      // A full batch may have left more behind.
      if (begun === 0) await pause(stopping.signal, (woken) => (wake = woken));
    }
  };
  const looking = look();
  return {
    stop: async () => {
      stopping.abort();
      await looking;
      await Promise.all(inFlight);
    },
  };
}

async function begin(
  dependencies: DeliveryDependencies,
  inFlight: Set<Promise<void>>,
  ended: () => void,
): Promise<number> {
  const room = MAX_IN_FLIGHT - inFlight.size;
  if (room <= 0) return 0;
  try {
    const leases = await leaseDue(dependencies.clock(), room);
    for (const lease of leases) {
      const attempt: Promise<void> = deliver(dependencies, lease).finally(() => {
        inFlight.delete(attempt);
        ended();
      });
      inFlight.add(attempt);
    }
    return leases.length;
  } catch (error) {
    // The database may be away for a while; what is due stays due.
    log().warn({ err: error }, 'due deliveries could not be read');
    return 0;
  }
}

/** Waits until something ends, the time is up, or the worker is stopped. */
function pause(signal: AbortSignal, onWake: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, LOOK_EVERY);
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
