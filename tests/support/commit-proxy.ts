import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What happens to a COMMIT on its way to the database. `lost`: the connection breaks before it arrives. `unanswered`:
 * it arrives, and the connection breaks before its answer is passed on. `hung`: its answer is never passed on.
 */
export type CommitFault = 'lost' | 'unanswered' | 'hung';

/** A connection between our server and its database on which COMMITs go wrong. */
export type CommitProxy = {
  /** The address of the database with this proxy in between. */
  url: string;
  /** Lets the next COMMIT go wrong; resolves when it has. The database has answered it by then, unless it was lost. */
  failNext: (fault: CommitFault) => Promise<void>;
  stop: () => Promise<void>;
};

/** COMMIT as a simple query of PostgreSQL's protocol: type, length, text, zero. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

type Armed = { fault: CommitFault; happened: () => void };

/** Starts such a proxy on this machine in front of a database. Only one write may be under way while one is failing. */
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
