import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { singleton } from '@/lib/platform/singleton';
import { createShares, type Shares } from './shares';

/** Units of work in flight. One busy application gets 180, four get 112 each: about 200 ms of work for two cores. */
const CAPACITY = 900;
const SHARE = 0.25;
/** Units of a write, which takes the database longer than a read. */
const WRITE = 2;
const READ = 1;
/** The error of a shed request. One instance, because the stack of each new error would cost more than the refusal. */
export const OVERLOADED = new AppError('service_unavailable', { retryAfter: 1 });

function shares(): Shares {
  return singleton('overload:shares', () => createShares({ capacity: CAPACITY, share: SHARE }));
}

/**
 * Counts a call of an application as work in flight (contract B9). Returns a function that ends it.
 * @throws AppError service_unavailable if the application has its share of the work in flight already.
 */
export function beginWork(applicationId: string, method: string): () => void {
  const end = shares().begin(applicationId, method === 'GET' ? READ : WRITE);
  if (end) return end;
  countShed('application');
  throw OVERLOADED;
}
