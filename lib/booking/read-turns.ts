import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { createTurns, type Turns } from '@/lib/platform/turns';

/**
 * Kinds of reads. For each kind, the maximum number of reads that run at the same time, as a fraction of the pool's
 * connections, for one application and for all together. With more, one application with wide reads would delay every
 * other request.
 */
const RUNNING = {
  'medium availability': { each: 1 / 4, all: 1 / 2 },
  'wide availability': { each: 1 / 16, all: 1 / 4 },
  booking: { each: 1 / 4, all: 1 / 2 },
  bookings: { each: 1 / 16, all: 1 / 4 },
};

function turnsOf(kind: keyof typeof RUNNING): Turns {
  const { each, all } = RUNNING[kind];
  const part = (fraction: number) => Math.ceil(env().DATABASE_POOL * fraction);
  return singleton(`read-turns:${kind}`, () => createTurns(part(all), part(each)));
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
