import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { singleton } from '@/lib/platform/singleton';
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
 * The error for a request that is refused because of overload. All refusals share this instance, because creating a
 * stack trace would take more time than all other steps of a refusal together.
 */
export const OVERLOADED = new AppError('service_unavailable', { retryAfter: 1 });

function shares(): Shares {
  return singleton('overload:shares', () => createShares({ capacity: CAPACITY, share: SHARE }));
}

/**
 * Counts a request of an application as work in flight (contract B9). Returns a function that ends the work.
 * @throws AppError service_unavailable if the application has reached its share of the work in flight.
 */
export function beginWork(applicationId: string, method: string): () => void {
  const end = shares().begin(applicationId, method === 'GET' ? READ : WRITE);
  if (end) return end;
  countShed('application');
  throw OVERLOADED;
}
