import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { singleton } from '@/lib/platform/singleton';
import { createShares, type Shares } from './shares';

/**
 * Limit of the work in flight per process, in units. All applications together approach it but never reach it. With
 * `SHARE`, a single busy application may have 180 units in flight, and each of four busy applications 112. Two cores
 * finish the 448 units of four applications in about 200 ms.
 */
const CAPACITY = 900;
const SHARE = 0.25;
/** Units of one write. A write takes the database longer than a read. */
const WRITE = 2;
const READ = 1;
/**
 * The error of a request that is refused because of overload. All refusals share this instance, because creating a
 * stack for each would cost more than the rest of the refusal.
 */
export const OVERLOADED = new AppError('service_unavailable', { retryAfter: 1 });

function shares(): Shares {
  return singleton('overload:shares', () => createShares({ capacity: CAPACITY, share: SHARE }));
}

/**
 * Counts a request of an application as work in flight (contract B9). Returns a function that ends the work.
 * @throws AppError service_unavailable if the application already has its share of the work in flight.
 */
export function beginWork(applicationId: string, method: string): () => void {
  const end = shares().begin(applicationId, method === 'GET' ? READ : WRITE);
  if (end) return end;
  countShed('application');
  throw OVERLOADED;
}
