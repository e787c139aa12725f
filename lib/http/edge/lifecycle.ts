import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beginDraining } from '@/lib/operations/health';
import { type Edge, lastExchange } from './exchange';
import { hasWaiting } from './limits/turns';

/** Milliseconds until requests in flight are aborted. */
const DRAIN = 7_000;
/** Milliseconds until connections without a complete request head are closed. */
const HEADS = 500;
/** Milliseconds in which the responses of a retiring worker close its connections. */
const RETIRE_NOTICE = 1_000;
/** Milliseconds between sweeps for idle connections. */
const SWEEP = 50;

/**
 * Listens and returns the port. Without a host, the server listens on every address of the machine, IPv6 and IPv4, or
 * on IPv4 alone if the machine has no IPv6.
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
 * Returns a function that drains the server. The health check fails immediately, and every response closes its
 * connection. After the notice, the server accepts no new connections, closes idle ones, and finishes requests in
 * flight; it aborts the rest after seven seconds. Call it before the server listens.
 * Its parameter is false for a worker that another one replaces: then the health check does not fail.
 * @param notice milliseconds in which the server still accepts requests, so that a proxy can notice the failing health
 *   check and route around it.
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
    if (announced) beginDraining();
    const wait = announced ? notice : RETIRE_NOTICE;
    if (wait > 0 && server.listening) await delay(wait);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Node does not count connections without a first request as idle. A retiring worker may have got them just now.
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

/** Returns whether a connection has a request without a complete response. */
function isAwaitingResponse(socket: Socket): boolean {
  const last = lastExchange(socket);
  return hasWaiting(socket) || (last !== undefined && !last.res.closed);
}
