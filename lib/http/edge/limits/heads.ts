import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Maximum number of bytes of a request head (contract B2). It is high enough that a request with a 40 KB key gets a
 * 401 instead of a protocol error.
 */
export const MAX_HEAD = 64 * 1024;
/**
 * Maximum sum of the incomplete request heads and trailers of all connections. This is enough for the largest possible
 * heads of 256 connections, so with fewer connections nothing is checked.
 */
const MAX_INCOMPLETE = 16 * 1024 * 1024;
/** A connection with a smaller incomplete head than this is never closed. Ordinary heads are smaller. */
const ORDINARY = 8 * 1024;
/** Milliseconds between checks of all connections. */
const SWEEP = 200;

/**
 * `at` is the number of bytes that had been received when Node last passed on a head or a part of a body. `left` is the
 * number of these bytes that Node has not passed on.
 */
type Received = { at: number; left: number };

const received = new WeakMap<Duplex, Received>();

/** Returns the number of bytes of a head. Assumes the usual whitespace. */
export function headBytes({ method, url, rawHeaders }: IncomingMessage): number {
  // The method and the target are followed by ` HTTP/1.1`, a space, and two line breaks.
  let bytes = (method?.length ?? 0) + (url?.length ?? 0) + 14;
  // Each header line has a colon, a space, and a line break.
  for (const part of rawHeaders) bytes += part.length + 2;
  return bytes;
}

/** Records that Node has passed on `bytes` bytes of a connection: a head or a part of a body. */
export function notePassedOn(socket: Socket, bytes: number): void {
  const known = received.get(socket);
  if (!known) return;
  const { bytesRead } = socket;
  const since = bytesRead - known.at;
  const left = Math.max(0, known.left + since - bytes);
  // If bytes have arrived since the last call, Node has passed on everything before them. The minimum removes what
  // `bytes` does not include, such as the sizes of chunks. Several calls can concern the same packet.
  known.left = since > 0 ? Math.min(since, left) : left;
  known.at = bytesRead;
}

/**
 * Bounds the memory for incomplete heads. Node keeps what has arrived of a head, but does not tell how much that is, so
 * all bytes that it has not passed on count. Call this function before the server listens.
 */
export function closeLargestHeads(server: Server): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    received.set(socket, { at: 0, left: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    if (sockets.size * MAX_HEAD > MAX_INCOMPLETE) closeLargest(sockets);
  }, SWEEP);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function closeLargest(sockets: Set<Socket>): void {
  let sum = 0;
  const large: { socket: Socket; bytes: number }[] = [];
  for (const socket of sockets) {
    const bytes = incomplete(socket);
    sum += bytes;
    if (bytes > ORDINARY) large.push({ socket, bytes });
  }
  if (sum <= MAX_INCOMPLETE) return;
  large.sort((a, b) => b.bytes - a.bytes);
  for (const { socket, bytes } of large) {
    if (sum <= MAX_INCOMPLETE) return;
    socket.destroy();
    sum -= bytes;
  }
}

/** Returns the number of bytes that Node has not passed on. Node discards a head of more than `MAX_HEAD` bytes. */
function incomplete(socket: Socket): number {
  const known = received.get(socket);
  return known ? Math.min(MAX_HEAD, known.left + socket.bytesRead - known.at) : 0;
}
