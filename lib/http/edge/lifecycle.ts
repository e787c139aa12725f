import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beginDraining } from '@/lib/operations/health';
import { type Edge, lastExchange } from './exchange';

/** Milliseconds after which the requests in flight are aborted. */
const DRAIN = 7_000;
/** Milliseconds after which connections with an incomplete request head are closed. */
const HEADS = 500;
/** For a worker that is replaced. A busy client can take half a second from connecting to its first request. */
const RETIRE_HEADS = 5_000;
/** Milliseconds for which a worker that is replaced still accepts requests. */
const RETIRE_NOTICE = 1_000;
const SWEEP_MS = 50;

/**
 * With Node's default of 511, thousands of new connections per second overflow the queue, and TCP repeats its handshake
 * only after a second. The kernel applies the minimum of this number and `net.core.somaxconn`.
 */
const BACKLOG = 4_096;

/** Listens on `host`, or on all IPv6 and IPv4 addresses (only IPv4 without IPv6), and returns the port. */
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
 * Returns a function that drains the server: the health check fails, and every response closes its connection. After
 * `notice` milliseconds, it accepts no new connections. After `DRAIN`, it aborts the rest. Call `createDrain` before
 * the server listens. With `announced` false, for a worker that is replaced, the health check does not fail.
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
    const isIdle = (socket: Socket) => lastExchange(socket)?.res.closed ?? (announced && socket.bytesRead === 0);
    const timers = [
      setInterval(() => destroyWhere(isIdle), SWEEP_MS),
      setTimeout(() => destroyWhere((socket) => !isAwaitingResponse(socket)), announced ? HEADS : RETIRE_HEADS),
      setTimeout(() => destroyWhere(() => true), DRAIN),
    ];
    await closed;
    timers.forEach(clearTimeout);
  };
}

function isAwaitingResponse(socket: Socket): boolean {
  const last = lastExchange(socket);
  return last !== undefined && !last.res.closed;
}
