import { setTimeout as delay } from 'node:timers/promises';
import { sharedTenantLock } from '@/lib/platform/locks';
import { COMMIT, type DatabaseProxy, startDatabaseProxy } from './database-proxy';

/** A proxy that counts how often a booking write waits for the database. */
export type TurnProxy = DatabaseProxy & {
  /** Returns how often the tenant's next booking write waits for the database, including the wait for its COMMIT. */
  countTurns: (tenantId: string) => Promise<number>;
};

/**
 * Milliseconds by which each response is delayed. If the next statement arrives during this delay, the server sent it
 * without waiting for the response.
 */
const DELAY = 50;

type Count = { opening: string; report: (turns: number) => void };

/** Starts a proxy in front of a database. */
export async function startTurnProxy(databaseUrl: string): Promise<TurnProxy> {
  let armed: Count | null = null;
  const proxy = await startDatabaseProxy(databaseUrl, (client, upstream) => {
    let counting: Count | null = null;
    let turns = 0;
    let waits = false;
    return {
      request: (chunk) => {
        if (armed && chunk.includes(armed.opening)) [counting, armed, turns, waits] = [armed, null, 0, false];
        if (!waits) turns += 1;
        waits = true;
        if (chunk.includes(COMMIT)) counting?.report(turns);
        upstream.write(chunk);
      },
      response: async (chunk) => {
        if (counting) await delay(DELAY);
        waits = false;
        client.write(chunk);
      },
    };
  });
  return {
    ...proxy,
    countTurns: (tenantId) =>
      new Promise((report) => {
        armed = { opening: sharedTenantLock(tenantId), report };
      }),
  };
}
