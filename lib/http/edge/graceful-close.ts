import type { Duplex } from 'node:stream';
import { mayReadOn, neverResume } from './limits/reading';

/** Maximum input bytes that are discarded after a response (contract B3). */
export const MAX_DRAIN = 2 * 1024 * 1024;

/** Milliseconds within which a client must read its response and close the connection. */
const CLOSE_TIMEOUT = 5_000;

/** Milliseconds in which a client can still read its response after the server has stopped reading its input. */
const GRACE = 1_000;
/**
 * Maximum number of connections that `stopReading` keeps open. The input that nothing reads takes memory of the kernel,
 * up to several megabytes per connection. If the kernel's limit for all connections is reached, it discards packets of
 * other clients too.
 */
const MAX_STOPPED = 32;

/** The connections that `stopReading` keeps open, in the order of the calls. */
const stopped = new Set<Duplex>();

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
    if (left >= 0) mayReadOn(socket, chunk.length);
    else stopReading(socket);
  });
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT);
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
  socket.resume();
  // If the connection was paused while Node's parser read it, `resume` alone does not start reading again.
  socket._read(0);
}

/**
 * Reads nothing more from a connection, and destroys it after a grace period. Destroying it at once could reset the
 * connection before the client has read the response. If too many connections are in this period, destroys the oldest.
 */
export function stopReading(socket: Duplex): void {
  if (socket.destroyed) return;
  neverResume(socket);
  socket.pause();
  stopped.add(socket);
  const timer = setTimeout(() => socket.destroy(), GRACE).unref();
  socket.once('close', () => {
    clearTimeout(timer);
    stopped.delete(socket);
  });
  for (const oldest of stopped) {
    if (stopped.size <= MAX_STOPPED) break;
    stopped.delete(oldest);
    oldest.destroy();
  }
}
