import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a database. A test can make its connections hang. */
export type TcpProxy = {
  /** The URL that leads to the database through the proxy. */
  url: string;
  /** Stops forwarding without closing connections, so that the connections are half-open. */
  hang: () => void;
  /** Returns the number of connections that were opened since `hang` was called. */
  hungConnections: () => number;
  stop: () => Promise<void>;
};

/** Starts a proxy in front of a database. */
export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let hanging = false;
  let hung = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (hanging) {
      hung += 1;
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    keep(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => hanging || to.write(chunk));
      from.on('end', () => hanging || to.end());
      // A connection that was reset emits `close` without `end`.
      from.on('close', () => hanging || to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    hang: () => {
      hanging = true;
    },
    hungConnections: () => hung,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
