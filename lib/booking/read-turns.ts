import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { createTurns, type Turns } from '@/lib/platform/turns';

/**
 * Kinds of reads. For each kind, the maximum number of reads that run at the same time, as a fraction of the pool's
 * connections, and the number of additional reads that may run for applications without a running read of that kind.
 * With twice as many, an application that floods the server would get a fifth to a half more responses, and every other
 * request would take twice as long.
 */
const RUNNING = {
  'medium availability': { share: 1 / 4, extra: 2 },
  'wide availability': { share: 1 / 16, extra: 1 },
  booking: { share: 1 / 4, extra: 2 },
  bookings: { share: 1 / 16, extra: 1 },
};
/**
 * A read that has run for more than `AGE` milliseconds probably waits for the database. Other reads may then start,
 * but never more than `HUNG` times the number in `RUNNING` run at the same time.
 */
const AGE = 50;
const HUNG = 4;

function turnsOf(kind: keyof typeof RUNNING): Turns {
  const { share, extra } = RUNNING[kind];
  const most = Math.ceil(env().DATABASE_POOL * share);
  return singleton(`read-turns:${kind}`, () => createTurns(most * HUNG, { most: () => most, age: AGE, extra }));
}

/**
 * Waits for a turn, and then calls `read`. Applications take turns, so that an application with many reads does not
 * delay other applications. `beginWork` limits the number of reads that wait.
 */
export async function readInTurn<T>(
  kind: keyof typeof RUNNING,
  applicationId: string,
  read: () => Promise<T>,
): Promise<T> {
  const endTurn = await turnsOf(kind).take(applicationId);
  try {
    return await read();
  } finally {
    endTurn();
  }
}
