import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type DatabaseProxy = {
  /** Leads through the proxy. */
  url: string;
  stop: () => Promise<void>;
};

/** Each handler must forward the chunks that it gets. */
type Forwarding = {
  /** From the server to the database. */
  request: (chunk: Buffer) => void;
  /** From the database to the server. */
  response: (chunk: Buffer) => void;
};

/** A simple query message of PostgreSQL's protocol. */
export const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

/** The CommandComplete message of PostgreSQL's protocol. */
export const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/**
 * `forward` returns the handlers of a connection. `client` is the socket of the server, and `upstream` that of the
 * database.
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
