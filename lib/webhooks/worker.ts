import { log } from '@/lib/platform/log';
import { type DeliveryDependencies, deliver } from './deliver';
import { leaseDue } from './lease';

/** Maximum number of concurrent attempts in this process. */
const MAX_IN_FLIGHT = 64;
/**
 * Milliseconds between two polls for due deliveries. The interval is short enough that the first attempt of a delivery
 * starts within a second of the commit.
 */
const POLL_INTERVAL = 400;

/** A running worker. `stop` resolves when its running attempts have ended. */
export type Worker = { stop: () => Promise<void> };

/**
 * Starts the embedded worker, which starts due attempts up to `MAX_IN_FLIGHT`. It polls every 400 ms, and also when an
 * attempt ends. Several processes may run a worker at the same time. If a worker is killed, no delivery is lost.
 */
export function startWorker(dependencies: DeliveryDependencies): Worker {
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  let wake = () => {};
  const poll = async () => {
    while (!stopping.signal.aborted) {
      const started = await startAttempts(dependencies, inFlight, () => wake());
      // If the poll started attempts, more deliveries may be due, so the worker polls again without a pause.
      if (started === 0) await pause(stopping.signal, (woken) => (wake = woken));
    }
  };
  const polling = poll();
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      await Promise.all(inFlight);
    },
  };
}

async function startAttempts(
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
    // The database may be temporarily unavailable. The deliveries stay due, so the next poll finds them.
    log().warn({ err: error }, 'due deliveries could not be read');
    return 0;
  }
}

/** Waits until an attempt ends, the poll interval has passed, or the worker is stopped. */
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
