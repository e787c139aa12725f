import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A fault of a COMMIT. `lost`: the connection breaks before the COMMIT reaches the database. `unanswered`: it breaks
 * before the response is forwarded. `hung`: the response is never forwarded.
 */
export type CommitFault = 'lost' | 'unanswered' | 'hung';

/** A proxy between a server and its database that injects faults into COMMITs. */
export type CommitProxy = {
  /** The database URL through the proxy. */
  url: string;
  /** Makes the next COMMIT fail. Resolves after the fault; the database has then responded, unless it was lost. */
  failNext: (fault: CommitFault) => Promise<void>;
  stop: () => Promise<void>;
};

/** COMMIT as a simple query message of PostgreSQL's protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

type Armed = { fault: CommitFault; happened: () => void };

/** Starts a proxy in front of a database. Only one write may run while a fault is armed. */
export async function startCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: Armed | null = null;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one.setNoDelay());
      one.on('error', () => one.destroy()).on('close', () => sockets.delete(one) && other.destroy());
    }
    let failing: Armed | null = null;
    client.on('data', (chunk) => {
      if (armed && chunk.includes(COMMIT)) {
        failing = armed;
        armed = null;
      }
      if (failing?.fault !== 'lost') upstream.write(chunk);
      else breakOff(client, failing);
    });
    upstream.on('data', (chunk) => {
      if (!failing) client.write(chunk);
      else if (failing.fault === 'unanswered') breakOff(client, failing);
      else failing.happened();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    failNext: (fault) =>
      new Promise((happened) => {
        armed = { fault, happened };
      }),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function breakOff(client: Socket, { happened }: Armed): void {
  client.resetAndDestroy();
  happened();
}
