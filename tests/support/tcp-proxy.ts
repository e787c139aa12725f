import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  url: string;
  /** Without closing connections, so that they are half-open. */
  hang: () => void;
  /** Breaks the half-open connections, and forwards new ones again. */
  resume: () => void;
  /** Since `hang` was called. */
  hungConnections: () => number;
  stop: () => Promise<void>;
};

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
    resume: () => {
      for (const socket of sockets) socket.destroy();
      hanging = false;
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
