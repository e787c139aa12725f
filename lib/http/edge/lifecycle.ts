import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beginDraining } from '@/lib/operations/health';
import { type Edge, lastExchange } from './exchange';

/** Milliseconds that requests in flight have to finish. */
const DRAIN = 7_000;
/** Milliseconds that a request has whose head is still coming in. */
const HEADS = 500;
/** Milliseconds between looks for connections that became idle. */
const SWEEP = 50;

/**
 * Listens and returns the port. Without a host every address of the machine is served, IPv6 and IPv4; where there is
 * no IPv6, IPv4 alone.
 */
export async function listen(server: Server, host: string | undefined, port: number): Promise<number> {
  try {
    return await listenOn(server, host ?? '::', port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (host !== undefined || (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL')) throw error;
    return listenOn(server, '0.0.0.0', port);
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Returns a function that drains the server: at once our health says so and every answer ends its connection; after
 * the notice no new connections, idle ones closed, requests in flight finished, the rest cut after seven seconds. Call
 * it before the server listens.
 * @param notice milliseconds for which everything is still answered, so that a proxy sees it and goes elsewhere.
 */
export function drainer(server: Server, edge: Edge, notice = 0): () => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const destroy = (which: (socket: Socket) => boolean) => {
    for (const socket of sockets) if (which(socket)) socket.destroy();
  };
  return async () => {
    edge.draining = true;
    beginDraining();
    if (notice > 0 && server.listening) await delay(notice);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Connections on which nothing was ever asked do not count as idle for Node: it waits for their first request.
    destroy((socket) => socket.bytesRead === 0);
    const timers = [
      setInterval(() => server.closeIdleConnections(), SWEEP),
      // Half a head is no request yet: a slow sender must not hold up the end.
      setTimeout(() => destroy((socket) => !isAsked(socket)), HEADS),
      setTimeout(() => destroy(() => true), DRAIN),
    ];
    await closed;
    timers.forEach(clearTimeout);
  };
}

/** Tells whether an answer is owed on a connection. */
function isAsked(socket: Socket): boolean {
  const last = lastExchange(socket);
  return last !== undefined && !last.res.closed;
}
