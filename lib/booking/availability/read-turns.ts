import { singleton } from '@/lib/platform/singleton';
import { createTurns, type Turns } from '@/lib/platform/turns';

/**
 * Sizes of availability reads in specialist days (days × specialists). A read of at most `SMALL` takes about as long as
 * any other request. A read of at most `MEDIUM` can share a query with others. A larger read is wide.
 */
const SMALL = 25;
export const MEDIUM = 100;

/**
 * Maximum number of medium reads that run at the same time, and of wide reads. If one application sends more than the
 * server can handle, every other request waits until the running reads have used the processor. Twice as many reads
 * would increase the rate of such reads by a fifth, but the other requests would take twice as long.
 */
const RUNNING = { medium: 4, wide: 1 };
/** Number of additional medium reads that may run for applications without a running medium read. */
const EXTRA = 2;
/**
 * A read that has run for more than `AGE` milliseconds probably waits for the database. Another one may then start,
 * until `HUNG` times as many run as `RUNNING` states.
 */
const AGE = 50;
const HUNG = 4;

function turns(size: 'medium' | 'wide', extra: number): Turns {
  const most = RUNNING[size];
  return singleton(`availability:${size}`, () => createTurns(most * HUNG, { most, age: AGE, extra }));
}

/**
 * Calls `read`. A medium or wide read first waits for its turn. Applications take turns, so that an application with
 * many reads does not delay other applications. `beginWork` limits the number of reads that wait.
 * @param days the size of the read in specialist days.
 */
export async function inTurn<T>(applicationId: string, days: number, read: () => Promise<T>): Promise<T> {
  if (days <= SMALL) return read();
  const endTurn = await (days > MEDIUM ? turns('wide', 0) : turns('medium', EXTRA)).take(applicationId);
  try {
    return await read();
  } finally {
    endTurn();
  }
}
