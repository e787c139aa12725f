import type { Duplex } from 'node:stream';

/** Maximum input bytes that are discarded after a response (contract B3). */
export const MAX_DRAIN = 2 * 1024 * 1024;

/** Milliseconds within which a client must read its response and close the connection. */
const CLOSE_TIMEOUT = 5_000;

/** Milliseconds in which a client can still read its response after the server has stopped reading its input. */
export const GRACE = 1_000;

const closing = new WeakSet<Duplex>();

/**
 * Returns whether `closeGracefully` is closing a connection. No further response can be sent on such a connection.
 */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}

/**
 * Writes `last` and closes a connection without losing written data. If the server closed the connection with unread
 * input, TCP would send a reset, and a client that is still sending could lose the response. The server therefore
 * closes only its sending side. It then discards input until the client closes its side, sends more than 2 MiB, or
 * takes more than five seconds.
 */
export function closeGracefully(socket: Duplex, last?: string): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  let left = MAX_DRAIN;
  // Removes the listener of Node's parser, which could otherwise start another request or report errors repeatedly.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    // Destroying the socket at once could reset the connection before the client has read the response. The server
    // therefore waits, and reads nothing more from the client.
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
