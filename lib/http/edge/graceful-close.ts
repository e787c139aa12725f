import type { Duplex } from 'node:stream';

/** Maximum number of input bytes that are read and discarded after a response (contract B3). */
export const MAX_DRAIN = 2 * 1024 * 1024;

/** Number of milliseconds within which a client must read its response and close the connection. */
const CLOSE_TIMEOUT = 5_000;

/**
 * Number of milliseconds for which a client can still read its response after the server has stopped reading from the
 * connection.
 */
export const GRACE = 1_000;

const closing = new WeakSet<Duplex>();

/**
 * Returns whether `closeGracefully` is closing a connection. If so, no further response can be sent on the connection.
 */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}

/**
 * Writes `last`, if given, and closes a connection without losing written data. If a server closed a socket with unread
 * input, the kernel would send a TCP reset. A client that is still sending could then lose the response. The server
 * therefore first closes only its sending side. It then discards up to 2 MiB of input and waits up to five seconds for
 * the client to close the connection.
 */
export function closeGracefully(socket: Duplex, last?: string): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  let left = MAX_DRAIN;
  // Node's parser must not receive the discarded input, because the parser could start another request or report errors
  // repeatedly.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    // An immediate reset could discard the response. While the socket is paused, TCP flow control stops the client from
    // sending, and the client can read the response during the grace period.
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
