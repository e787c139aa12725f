import { LRUCache } from 'lru-cache';
import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { activeWrites, noteRefusedWrite } from '@/lib/platform/write-connection';
import { type ControlledDelay, createControlledDelay } from './controlled-delay';
import { createShares, type Shares } from './shares';

/**
 * Upper limit on the work in flight in one process, in units. A read has one unit, and a write has two. An application
 * can have at most `SHARE` times the number of units that remain free. A single busy application can therefore have 180
 * units, because 720 remain free. Four busy applications can have 112 units each. Two CPU cores take about 200 ms for
 * these 448 units.
 */
const CAPACITY = 900;
const SHARE = 0.25;
/**
 * Number of units (see `CAPACITY`) of one write. A write has more units than a read, because the database takes longer
 * for it.
 */
const WRITE = 2;
const READ = 1;
/**
 * The error of a request that is refused because of overload. It is shared, because creating an error takes longer
 * than most other steps of a refusal.
 */
export const OVERLOADED = new AppError('service_unavailable', { retryAfter: 1 });

/**
 * The number of writes that one application can have in flight if no other application is busy (see `CAPACITY`). The
 * bound on an application's in-flight writes (see `writesOf`) never rises above this number.
 */
const MOST_WRITES = (CAPACITY * SHARE) / (1 + SHARE) / WRITE;
/**
 * The lowest bound on an application's in-flight writes, as a multiple of the number of writes that can run at once
 * (`activeWrites`). With fewer writes, some database connections would be idle. The bound never exceeds `MOST_WRITES`.
 */
const LEAST_WRITES = 3;
/**
 * Milliseconds that the database takes for a write on a fast machine. `writesOf` uses this number to estimate how many
 * writes an application can have in flight on such a machine before one of them waits longer than `MAX_WRITE_WAIT`.
 * The bound on the application's in-flight writes never rises above the highest of three numbers: this estimate,
 * `BURST`, and the lowest bound (see `LEAST_WRITES`).
 */
const WRITE_TIME = 6.25;
/**
 * The bound on an application's in-flight writes can always rise to this number, even if there are few database
 * connections.
 */
const BURST = 20;
/** Maximum number of applications whose `Writes` are in memory. Each takes about 500 bytes. */
const MAX_APPLICATIONS = 10_000;

export type Work = {
  end: () => void;
  /** Records how many milliseconds the request waited for a database connection. */
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
 * Counts an application's request as work in flight (contract B9), and returns this work. Returns the error
 * `OVERLOADED` instead if the application has reached its share or its bound on in-flight writes. The error is not
 * thrown, because throwing would take longer than this check.
 */
export function beginWork(applicationId: string, method: string): Work | AppError {
  const work = method === 'GET' ? beginRead(applicationId) : beginWrite(applicationId);
  if (work) return work;
  if (method !== 'GET') noteRefusedWrite();
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
