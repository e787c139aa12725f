import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { createTurns, type Turns } from '@/lib/platform/turns';

/**
 * Sizes of availability reads in specialist days (days × specialists). A read of at most `SMALL` takes about as long as
 * any other request. A read of at most `MEDIUM` can share a query with others. A larger read is wide.
 */
const SMALL = 25;
export const MEDIUM = 100;

/**
 * Limits for the reads of each size. `share` is the maximum number of reads that run at the same time, as a fraction of
 * the pool's connections. `extra` is the number of additional reads that may run for applications without a running
 * read of the size. If these limits were doubled, an application that floods the server would get a fifth to a half
 * more responses, but every other request would take twice as long.
 */
const RUNNING = { medium: { share: 1 / 4, extra: 2 }, wide: { share: 1 / 16, extra: 1 } };
/**
 * A read that has run for more than `AGE` milliseconds probably waits for the database. Another read may then start in
 * its place. The number of reads that run at the same time never exceeds `HUNG` times the limit of `RUNNING`.
 */
const AGE = 50;
const HUNG = 4;

function turnsOf(size: keyof typeof RUNNING): Turns {
  const { share, extra } = RUNNING[size];
  const most = Math.ceil(env().DATABASE_POOL * share);
  return singleton(`availability:${size}`, () => createTurns(most * HUNG, { most, age: AGE, extra }));
}

/**
 * Calls `read`. A medium or wide read first waits for its turn. Applications take turns, so that an application with
 * many reads does not delay other applications. `beginWork` limits the number of reads that wait.
 * @param days the size of the read in specialist days.
 */
export async function inTurn<T>(applicationId: string, days: number, read: () => Promise<T>): Promise<T> {
  if (days <= SMALL) return read();
  const endTurn = await turnsOf(days > MEDIUM ? 'wide' : 'medium').take(applicationId);
  try {
    return await read();
  } finally {
    endTurn();
  }
}
