import type { Policy } from '@/lib/access/applications/policy';
import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { singleton } from '@/lib/platform/singleton';
import { createTurns, type Turns } from '@/lib/platform/turns';
import type { Call } from './call';
import { createShares, type Shares } from './shares';

/** Units of one process. A single busy application can have 320 units, which are 160 writes. */
const CAPACITY = 1_600;
const SHARE = 0.25;
/** The database takes longer for a write than for a read, which is one unit. */
const WRITE = 2;
const READ = 1;
/** Requests of one tenant that begin in one turn of the event loop. */
const BEGINS = 8;
/** `partnerRoute` does not log this refusal. */
export const OVERLOADED = new AppError('service_unavailable', { retryAfter: 1 });

function shares(): Shares {
  return singleton('overload:shares', () => createShares({ capacity: CAPACITY, share: SHARE }));
}

/** Counts a request as work in flight (contract B9) until `call.endWork` is called, or returns `OVERLOADED`. */
export function beginWork(call: Call, { applicationId }: Pick<Policy, 'applicationId'>): AppError | null {
  const end = shares().begin(applicationId, call.method === 'GET' ? READ : WRITE);
  if (!end) {
    countShed('application');
    return OVERLOADED;
  }
  call.endWork = end;
  // Authentication took longer than the time budget, so the pipeline responded before the work began.
  if (call.responded) end();
  return null;
}

function begins(): Turns {
  return singleton('work:begins', () => createTurns(CAPACITY, BEGINS, BEGINS));
}

/**
 * Waits until the request may begin. `beginWork` bounds the waiting requests. Without this, the event loop would run a
 * tenant's thousands of cheap requests, which never wait for a connection, before any request of another tenant.
 */
export async function awaitBegin(_call: Call, { applicationId, tenantId }: Pick<Policy, 'applicationId' | 'tenantId'>) {
  setImmediate(await begins().take(applicationId, tenantId));
  return null;
}
