import type { Duplex } from 'node:stream';

/** Bytes that are read and discarded after a response (contract B3). */
export const MAX_DRAIN = 2 * 1024 * 1024;

/** Milliseconds that a client has to read its response and close the connection. */
const CLOSE_TIMEOUT = 5_000;

/** Milliseconds that a client has to read its response after the server stops reading. */
export const GRACE = 1_000;

const closing = new WeakSet<Duplex>();

/** Returns whether a connection is only being drained; no further response is sent on it. */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}

/**
 * Writes `last`, if given, and closes a connection without losing written data. Closing a socket with unread input
 * makes the kernel send a reset, which can discard the response at a client that is still sending. Therefore only the
 * server's side closes first, and up to 2 MiB of input is discarded within five seconds.
 */
export function closeGracefully(socket: Duplex, last?: string): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  let left = MAX_DRAIN;
  // Node's parser must not see the discarded input: it could start another request, or fail repeatedly.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    // A reset now could discard the response. Without reads, flow control stops the client.
    socket.pause();
    setTimeout(() => socket.destroy(), GRACE).unref();
  });
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT);
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
  socket.resume();
}
