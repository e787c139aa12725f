import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommitFault } from './commit-proxy';
import { COMMIT, COMMITTED, type DatabaseProxy, startDatabaseProxy } from './database-proxy';

/** The faults can affect every connection. */
export type FaultProxy = DatabaseProxy & {
  /** Resolves when a server sends that COMMIT. */
  failCommit: (fault: CommitFault) => Promise<void>;
  cut: () => void;
  /** Stops forwarding for `milliseconds`. Then forwards the data that arrived meanwhile. */
  stall: (milliseconds: number) => Promise<void>;
};

export async function startFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  const pairs = new Set<{ client: Socket; upstream: Socket }>();
  let armed: { fault: CommitFault; chosen: () => void } | null = null;
  const proxy = await startDatabaseProxy(databaseUrl, (client, upstream) => {
    const pair = { client, upstream };
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    let failing: CommitFault | null = null;
    return {
      request: (chunk) => {
        if (armed && chunk.includes(COMMIT)) {
          failing = armed.fault;
          armed.chosen();
          armed = null;
        }
        if (failing === 'lost') client.resetAndDestroy();
        else upstream.write(chunk);
      },
      response: (chunk) => {
        if (failing === null) client.write(chunk);
        else if (failing === 'unanswered' && chunk.includes(COMMITTED)) client.resetAndDestroy();
      },
    };
  });
  return {
    ...proxy,
    failCommit: (fault) =>
      new Promise((chosen) => {
        armed = { fault, chosen };
      }),
    cut: () => {
      for (const { client } of pairs) client.resetAndDestroy();
    },
    stall: async (milliseconds) => {
      const stalled = [...pairs].flatMap(({ client, upstream }) => [client, upstream]);
      for (const socket of stalled) socket.pause();
      await delay(milliseconds);
      for (const socket of stalled) socket.resume();
    },
  };
}
