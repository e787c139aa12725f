import { LRUCache } from 'lru-cache';
import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { activeWrites } from '@/lib/platform/write-connection';
import { type ControlledDelay, createControlledDelay } from './controlled-delay';
import { createShares, type Shares } from './shares';

/**
 * Upper limit of the work in flight in one process, in units. A read is one unit, and a write is two units. The units
 * of all applications together always stay below this limit. With a `SHARE` of 0.25, a single busy application can have
 * 180 units in flight, and four busy applications can have 112 units each. Two CPU cores take about 200 ms to finish
 * the 448 units of four applications.
 */
const CAPACITY = 900;
const SHARE = 0.25;
/** Number of units of one write. It is higher than for a read, because the database takes longer to process a write. */
const WRITE = 2;
const READ = 1;
/**
 * The error for a request that is refused because of overload. All refusals share this instance, because creating an
 * error takes more time than most other steps of a refusal.
 */
export const OVERLOADED = new AppError('service_unavailable', { retryAfter: 1 });

/** Maximum number of writes in flight of one application, while no other application is busy. */
const MOST_WRITES = (CAPACITY * SHARE) / (1 + SHARE) / WRITE;
/**
 * Lower limit of the bound on the writes in flight of one application, as a multiple of the number of writes that run
 * in the database at the same time. With fewer writes in flight, some connections would be idle.
 */
const LEAST_WRITES = 3;
/**
 * Number of milliseconds that a write takes in the database of a fast machine. The bound on the writes in flight of one
 * application never exceeds the number of writes that such a machine completes within `MAX_WRITE_WAIT`, or `BURST` if
 * that number is higher.
 */
const WRITE_TIME = 6.25;
/** Number of writes that an application may send at the same time, even if there are few connections. */
const BURST = 20;
/** Maximum number of applications whose `Writes` are kept in memory. Each entry takes about 500 bytes. */
const MAX_APPLICATIONS = 10_000;

/** The work of one request. */
export type Work = {
  /** Ends the work. */
  end: () => void;
  /** Records for how many milliseconds the request has waited for a connection to the database. */
  waited: (milliseconds: number) => void;
};

type Writes = { inFlight: number; delay: ControlledDelay };

function shares(): Shares {
  return singleton('overload:shares', () => createShares({ capacity: CAPACITY, share: SHARE }));
}

function writesOf(applicationId: string): Writes {
  const all = singleton('overload:writes', () => new LRUCache<string, Writes>({ max: MAX_APPLICATIONS }));
  const known = all.get(applicationId);
  if (known) return known;
  const target = env().MAX_WRITE_WAIT;
  const least = Math.min(MOST_WRITES, activeWrites() * LEAST_WRITES);
  const most = Math.min(MOST_WRITES, Math.max(least, BURST, Math.ceil(activeWrites() * (1 + target / WRITE_TIME))));
  const writes = { inFlight: 0, delay: createControlledDelay({ most, least, target }) };
  all.set(applicationId, writes);
  return writes;
}

/**
 * Counts a request of an application as work in flight (contract B9). Returns `OVERLOADED` if the application has
 * reached its share of the work in flight. It is returned, because throwing it would take more time than this check.
 */
export function beginWork(applicationId: string, method: string): Work | AppError {
  const work = method === 'GET' ? beginRead(applicationId) : beginWrite(applicationId);
  if (work) return work;
  countShed('application');
  return OVERLOADED;
}

function beginRead(applicationId: string): Work | null {
  const end = shares().begin(applicationId, READ);
  return end && { end, waited: () => {} };
}

function beginWrite(applicationId: string): Work | null {
  const writes = writesOf(applicationId);
  if (writes.inFlight >= writes.delay.limit(performance.now())) return null;
  const endUnits = shares().begin(applicationId, WRITE);
  if (!endUnits) return null;
  writes.inFlight += 1;
  let open = true;
  const end = () => {
    if (!open) return;
    open = false;
    writes.inFlight -= 1;
    endUnits();
  };
  return { end, waited: (milliseconds) => writes.delay.waited(milliseconds, performance.now()) };
}
