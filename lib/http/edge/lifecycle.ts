import type { Server } from 'node:http';
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beginDraining } from '@/lib/operations/health';
import { type Edge, lastExchange } from './exchange';

/** Once a drain has lasted this many milliseconds, the requests that are still in flight are aborted. */
const DRAIN = 7_000;
/** Once a drain has lasted this many milliseconds, connections whose request head is still incomplete are closed. */
const HEADS = 500;
/**
 * Replaces `HEADS` for a worker that is being replaced. A client on a busy machine can take more than half a second
 * from connecting to sending its first request, and the replacement of a worker must not fail requests.
 */
const RETIRE_HEADS = 5_000;
/**
 * Milliseconds for which a worker that is being replaced still accepts requests. It closes each connection after a
 * response.
 */
const RETIRE_NOTICE = 1_000;
/** Milliseconds between checks for idle connections during a drain. */
const SWEEP = 50;

/**
 * Maximum number of connections that wait to be accepted. With Node's default of 511, thousands of new connections per
 * second overflow the queue, and TCP repeats its handshake only after a second. The kernel applies the minimum of this
 * number and `net.core.somaxconn`.
 */
const BACKLOG = 4_096;

/**
 * Starts to listen and returns the port. Without `host`, listens on all IPv6 and IPv4 addresses. On a machine
 * without IPv6, listens only on the IPv4 addresses.
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
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Returns a function that drains the server. Call `createDrain` before the server listens. During the drain, the health
 * check fails, and every response closes its connection. The server still accepts requests for `notice` milliseconds.
 * After that, it accepts no new connections, closes idle connections, and finishes the requests in flight. Seven
 * seconds later, it aborts the remaining requests. Call the returned function with `announced` false for a worker that
 * is being replaced. The health check of this worker does not fail, and `RETIRE_NOTICE` replaces `notice`.
 * @param notice milliseconds in which a proxy can notice the failing health check and switch to other instances.
 */
export function createDrain(server: Server, edge: Edge, notice = 0): (announced?: boolean) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const destroyWhere = (matches: (socket: Socket) => boolean) => {
    for (const socket of sockets) if (matches(socket)) socket.destroy();
  };
  return async (announced = true) => {
    edge.draining = true;
    beginDraining(announced);
    const wait = announced ? notice : RETIRE_NOTICE;
    if (wait > 0 && server.listening) await delay(wait);
    // Since Node 26, `close` of an HTTP server also destroys connections on which nothing has arrived yet. If this is a
    // worker that is being replaced, they stay open, because the client may already have sent its first request.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
    const isIdle = (socket: Socket) => lastExchange(socket)?.res.closed ?? (announced && socket.bytesRead === 0);
    const timers = [
      setInterval(() => destroyWhere(isIdle), SWEEP),
      // Connections with an incomplete request head are closed early, so that they do not delay the shutdown.
      setTimeout(() => destroyWhere((socket) => !isAwaitingResponse(socket)), announced ? HEADS : RETIRE_HEADS),
      setTimeout(() => destroyWhere(() => true), DRAIN),
    ];
    await closed;
    timers.forEach(clearTimeout);
  };
}

/** Returns whether a connection has a request without a complete response. */
function isAwaitingResponse(socket: Socket): boolean {
  const last = lastExchange(socket);
  return last !== undefined && !last.res.closed;
}
