import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between servers and their database. */
export type DatabaseProxy = {
  /** The URL that leads to the database through the proxy. */
  url: string;
  stop: () => Promise<void>;
};

/** The handlers of one connection. Each handler must forward the chunks that it gets. */
type Forwarding = {
  /** Handles a chunk that the server sent to the database. */
  request: (chunk: Buffer) => void;
  /** Handles a chunk that the database sent to the server. */
  response: (chunk: Buffer) => void;
};

/** COMMIT as a simple query message of PostgreSQL's protocol. */
export const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

/** The response to a COMMIT: the CommandComplete message of PostgreSQL's protocol. */
export const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/**
 * Starts a proxy in front of a database.
 * @param forward is called for each connection and returns its handlers. `client` is the socket of the server, and
 *   `upstream` is the socket of the database.
 */
export async function startDatabaseProxy(
  databaseUrl: string,
  forward: (client: Socket, upstream: Socket) => Forwarding,
): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one.setNoDelay());
      one.on('error', () => one.destroy()).on('close', () => sockets.delete(one) && other.destroy());
    }
    const { request, response } = forward(client, upstream);
    client.on('data', request);
    upstream.on('data', response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
