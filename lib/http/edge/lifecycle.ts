import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beginDraining } from '@/lib/operations/health';
import { type Edge, lastExchange } from './exchange';
import { hasWaiting } from './limits/turns';

/** Number of milliseconds after which a drain aborts the requests in flight. */
const DRAIN = 7_000;
/** Number of milliseconds after which a drain closes connections that have not sent a complete request head. */
const HEADS = 500;
/**
 * Number of milliseconds for which a retiring worker (a worker that another worker replaces) still accepts requests.
 * During this time, the worker closes each connection after a response.
 */
const RETIRE_NOTICE = 1_000;
/** Number of milliseconds between checks for idle connections during a drain. */
const SWEEP = 50;

/**
 * Starts to listen and returns the port. Without `host`, the server listens on all IPv6 and IPv4 addresses of the
 * machine. If the machine has no IPv6, the server listens only on IPv4.
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
 * Returns a function that drains the server. `createDrain` must be called before the server listens.
 *
 * During the drain, the health check fails, and every response closes its connection. The server still accepts requests
 * for `notice` milliseconds. After that, it accepts no new connections, closes idle connections, and finishes the
 * requests in flight. It aborts requests that are still in flight after seven more seconds.
 *
 * The argument `announced` of the returned function is false for a worker that another worker replaces. In this case,
 * the health check does not fail, and `RETIRE_NOTICE` applies instead of `notice`.
 * @param notice number of milliseconds for which the server still accepts requests. During this time, a proxy can
 *   notice the failing health check and switch to other instances.
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
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // `closeIdleConnections` skips connections that have not sent a request yet, so they are destroyed here. A retiring
    // worker keeps such connections, because it may have just accepted them and their first request may be on its way.
    if (announced) destroyWhere((socket) => socket.bytesRead === 0);
    const timers = [
      setInterval(() => server.closeIdleConnections(), SWEEP),
      // A client that sends its request head slowly must not delay the shutdown.
      setTimeout(() => destroyWhere((socket) => !isAwaitingResponse(socket)), HEADS),
      setTimeout(() => destroyWhere(() => true), DRAIN),
    ];
    await closed;
    timers.forEach(clearTimeout);
  };
}

/** Returns whether a connection has a request whose response is not complete. */
function isAwaitingResponse(socket: Socket): boolean {
  const last = lastExchange(socket);
  return hasWaiting(socket) || (last !== undefined && !last.res.closed);
}
