import type { Socket } from 'node:net';
import { sharedTenantLock } from '@/lib/platform/locks';
import { COMMIT, COMMITTED, type DatabaseProxy, startDatabaseProxy } from './database-proxy';

/**
 * - `lost`: the connection breaks before the COMMIT reaches the database
 * - `unanswered`: the database commits, but the connection breaks before the response
 * - `hung`: the database commits, but the response never comes
 */
export type CommitFault = 'lost' | 'unanswered' | 'hung';

export type CommitProxy = DatabaseProxy & {
  /**
   * For the COMMIT of the tenant's next booking write. Resolves when the connection is broken (`lost`), or the database
   * has committed.
   */
  failNext: (tenantId: string, fault: CommitFault) => Promise<void>;
};

const BEGIN = Buffer.from('BEGIN', 'latin1');

type Armed = { opening: string; fault: CommitFault; happened: () => void };

/**
 * A fault applies only to a transaction that begins with the tenant's lock, which booking writes take first, but
 * background transactions do not.
 */
export async function startCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const armed = new Set<Armed>();
  const proxy = await startDatabaseProxy(databaseUrl, (client, upstream) => {
    let failing: Armed | null = null;
    let opening: Buffer | null = null;
    return {
      request: (chunk) => {
        if (chunk.includes(BEGIN)) opening = chunk;
        if (chunk.includes(COMMIT)) {
          failing ??= [...armed].find((one) => opening?.includes(one.opening)) ?? null;
          if (failing) armed.delete(failing);
        }
        if (failing?.fault !== 'lost') upstream.write(chunk);
        else breakOff(client, failing);
      },
      response: (chunk) => {
        if (!failing) client.write(chunk);
        // The response to a statement that was sent together with the COMMIT may come first.
        else if (!chunk.includes(COMMITTED)) return;
        else if (failing.fault === 'unanswered') breakOff(client, failing);
        else failing.happened();
      },
    };
  });
  return {
    ...proxy,
    failNext: (tenantId, fault) =>
      new Promise((happened) => {
        armed.add({ opening: sharedTenantLock(tenantId), fault, happened });
      }),
  };
}

function breakOff(client: Socket, { happened }: Armed): void {
  client.resetAndDestroy();
  happened();
}
