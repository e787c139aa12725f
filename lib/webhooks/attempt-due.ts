import { type DeliveryDependencies, deliver } from './deliver';
import { leaseOldest } from './lease';

/** Milliseconds after which no further attempt starts, so that a request of Inngest does not take too long. */
const MAX_TIME = 20_000;

/**
 * Makes the due attempts of an application, oldest delivery first, as a run of the Inngest function, and returns their
 * number. Another starts whenever one ends, until `MAX_TIME` or the shutdown.
 */
export async function attemptDue(dependencies: DeliveryDependencies, applicationId: string): Promise<number> {
  const deadline = performance.now() + MAX_TIME;
  const running = new Set<Promise<void>>();
  let made = 0;
  for (;;) {
    // Attempts that end during the query may be the reason that it returns nothing.
    const idle = running.size === 0;
    const ends = performance.now() >= deadline || dependencies.draining();
    const leases = ends ? [] : await leaseOldest(dependencies.clock(), applicationId);
    for (const lease of leases) {
      const attempt: Promise<void> = deliver(dependencies, lease).finally(() => running.delete(attempt));
      running.add(attempt);
    }
    made += leases.length;
    if (idle && leases.length === 0) return made;
    if (running.size > 0) await Promise.race(running);
  }
}
