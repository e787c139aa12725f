import { setTimeout as delay } from 'node:timers/promises';
import { sharedTenantLock } from '@/lib/platform/locks';
import { COMMIT, type DatabaseProxy, startDatabaseProxy } from './database-proxy';

export type TurnProxy = DatabaseProxy & {
  countTurns: (tenantId: string) => Promise<number>;
};

/** Milliseconds. If the next statement arrives meanwhile, the server sent it without waiting for the response. */
const DELAY = 50;

type Count = { opening: string; report: (turns: number) => void };

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
