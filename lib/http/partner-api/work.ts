import type { Policy } from '@/lib/access/applications/policy';
import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { singleton } from '@/lib/platform/singleton';
import type { Call } from './call';
import { createShares, type Shares } from './shares';

/**
 * Upper limit on the work in flight in one process, in units. An application can have at most `SHARE` times the number
 * of units that remain free. A single busy application can therefore have 320 units, which are 160 writes.
 */
const CAPACITY = 1_600;
const SHARE = 0.25;
/** Units (see `CAPACITY`) of one request. The database takes longer for a write than for a read. */
const WRITE = 2;
const READ = 1;
/** The error of a request that is refused because of overload. `partnerRoute` recognizes it, and does not log it. */
export const OVERLOADED = new AppError('service_unavailable', { retryAfter: 1 });

function shares(): Shares {
  return singleton('overload:shares', () => createShares({ capacity: CAPACITY, share: SHARE }));
}

/**
 * Counts a request as work in flight (contract B9) until `call.endWork` is called. Returns the error `OVERLOADED`
 * instead if the application has reached its share.
 */
export function beginWork(call: Call, { applicationId }: Pick<Policy, 'applicationId'>): AppError | null {
  const end = shares().begin(applicationId, call.method === 'GET' ? READ : WRITE);
  if (!end) {
    countShed('application');
    return OVERLOADED;
  }
  call.endWork = end;
  // The pipeline ends the work when it responds. If authentication took longer than the time budget of a write, it
  // responded before the work began.
  if (call.responded) end();
  return null;
}
