import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { sharedTenantLock } from '@/lib/platform/locks';

/** A proxy in front of a database that counts how often a booking write waits for a response of the database. */
export type TurnProxy = {
  /** The database URL through the proxy. */
  url: string;
  /** Returns how often the tenant's next booking write waits for responses, its COMMIT included. */
  countTurns: (tenantId: string) => Promise<number>;
  stop: () => Promise<void>;
};

/**
 * Delay of each response, in milliseconds. Statements that the server sends without waiting for the response arrive
 * during the delay, so they do not count as another wait.
 */
const DELAY = 50;

/** COMMIT as a simple query message of PostgreSQL's protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

type Count = { opening: string; report: (turns: number) => void };

/** Starts a proxy in front of a database. */
export async function startTurnProxy(databaseUrl: string): Promise<TurnProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: Count | null = null;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one.setNoDelay());
      one.on('error', () => one.destroy()).on('close', () => sockets.delete(one) && other.destroy());
    }
    let counting: Count | null = null;
    let turns = 0;
    let waits = false;
    client.on('data', (chunk) => {
      if (armed && chunk.includes(armed.opening)) [counting, armed, turns, waits] = [armed, null, 0, false];
      if (!waits) turns += 1;
      waits = true;
      if (chunk.includes(COMMIT)) counting?.report(turns);
      upstream.write(chunk);
    });
    upstream.on('data', async (chunk) => {
      if (counting) await delay(DELAY);
      waits = false;
      client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    countTurns: (tenantId) =>
      new Promise((report) => {
        armed = { opening: sharedTenantLock(tenantId), report };
      }),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
