import type { Policy } from '@/lib/access/applications/policy';
import { countShed } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { singleton } from '@/lib/platform/singleton';
import { createTurns, type Turns } from '@/lib/platform/turns';
import { writesOfClient } from '@/lib/platform/write-transaction';
import type { Call } from './call';

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

/**
 * Counts a request as work in flight (contract B9) until `call.endWork` is called, or returns `OVERLOADED`. If the
 * application has reached its bound, a write takes the place of the oldest one that waits, which is refused instead.
 */
export function beginWork(call: Call, { applicationId }: Pick<Policy, 'applicationId'>): AppError | null {
  const isRead = call.method === 'GET';
  const end = shares().begin(applicationId, isRead ? READ : WRITE) ?? (isRead ? null : refuseOldest(applicationId));
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

type Waiting = { call: Call; go: (refusal: AppError | null) => void };
/** Of one application. `waiting` starts with the oldest. */
type Writes = { running: number; waiting: Waiting[] };

const writes = () => singleton('work:writes', () => new Map<string, Writes>());

/** More than the connections for them, which then never wait for a write that is still being parsed. */
const runningAtMost = () => 2 * writesOfClient();

/**
 * Waits until a write may run. The oldest of an application runs first, and `beginWork` refuses the oldest. Under
 * overload, both shorten the wait of every other write, and a burst waits, without a measurement of time.
 */
export async function awaitWrite(call: Call, { applicationId }: Pick<Policy, 'applicationId'>) {
  const own = writes().get(applicationId) ?? { running: 0, waiting: [] };
  writes().set(applicationId, own);
  if (own.running < runningAtMost()) own.running += 1;
  else {
    // Writes that have waited too long were answered, the oldest first.
    while (own.waiting[0]?.call.responded) own.waiting.shift();
    const refusal = await new Promise<AppError | null>((go) => own.waiting.push({ call, go }));
    if (refusal) return refusal;
  }
  const endWork = call.endWork;
  call.endWork = () => {
    endWork?.();
    endWrite(applicationId, own);
  };
  if (call.responded) call.endWork();
  return null;
}

function endWrite(applicationId: string, own: Writes): void {
  let next = own.waiting.shift();
  while (next?.call.responded) next = own.waiting.shift();
  if (next) next.go(null);
  else own.running -= 1;
  if (own.running === 0) writes().delete(applicationId);
}

/** Returns the function that ends the work of the refused write, or null if none waits. */
function refuseOldest(applicationId: string): (() => void) | null {
  const waiting = writes().get(applicationId)?.waiting ?? [];
  for (let oldest = waiting.shift(); oldest; oldest = waiting.shift()) {
    const end = oldest.call.endWork;
    if (oldest.call.responded || !end) continue;
    oldest.call.endWork = null;
    countShed('application');
    oldest.go(OVERLOADED);
    return end;
  }
  return null;
}

/** `begin` returns a function that ends the work, or null if the application has reached its bound. */
type Shares = { begin: (application: string, units: number) => (() => void) | null };

type Options = {
  /** Units. */
  capacity: number;
  /** Fraction (0..1) of the free capacity that one application may use. */
  share: number;
  /** Default: `setImmediate`. */
  defer?: (callback: () => void) => void;
};

/**
 * Bounds the units of work in flight. The free capacity is `capacity` minus the units of all applications. One
 * application is allowed to have the fraction `share` of the free capacity. A single busy application therefore gets
 * `share` ÷ (1 + `share`) of the capacity. Each further busy application lowers the bound of all applications. Some
 * capacity always stays free for other applications.
 *
 * This is the dynamic threshold of A. K. Choudhury and E. L. Hahne, "Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches", IEEE/ACM Transactions on Networking 6 (1998). This method measures no time, so a slow machine alone
 * does not cause refusals.
 *
 * Ended work counts until the end of the event loop's turn. Otherwise, thousands of requests that need no database
 * query could arrive in one turn, and all of them would be handled before any other connection is read.
 */
export function createShares({ capacity, share, defer = setImmediate }: Options): Shares {
  const ofApplication = new Map<string, number>();
  let total = 0;
  let ended: [string, number][] = [];
  const settle = () => {
    for (const [application, units] of ended) {
      const left = (ofApplication.get(application) ?? 0) - units;
      if (left > 0) ofApplication.set(application, left);
      else ofApplication.delete(application);
      total -= units;
    }
    ended = [];
  };
  const begin = (application: string, units: number) => {
    const own = (ofApplication.get(application) ?? 0) + units;
    if (own > share * (capacity - total)) return null;
    ofApplication.set(application, own);
    total += units;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      if (ended.length === 0) defer(settle);
      ended.push([application, units]);
    };
  };
  return { begin };
}
