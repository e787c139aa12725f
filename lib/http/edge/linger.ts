import type { Duplex } from 'node:stream';

/** Bytes that are read and thrown away after an answer (contract B3). */
export const MAX_DRAIN = 2 * 1024 * 1024;

/** Milliseconds that a client has to take its answer and close. */
const LINGER = 5_000;

/** Milliseconds that a client has left to read its answer once nothing more is read of it. */
export const GRACE = 1_000;

const lingering = new WeakSet<Duplex>();

/** Tells whether a connection is only being drained: nothing more is answered on it. */
export function isLingering(socket: Duplex): boolean {
  return lingering.has(socket);
}

/**
 * Ends a connection without losing what was just written: closing a socket with unread input makes the kernel send a
 * reset, which can take the answer from a client that is still sending. So our side closes first, and the rest is
 * thrown away, up to 2 MiB and five seconds.
 */
export function lingeringEnd(socket: Duplex, last?: string): void {
  if (lingering.has(socket)) return;
  lingering.add(socket);
  let left = MAX_DRAIN;
  // Node's parser must not see the rest: it could begin another request, or fail again and again.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    // Not reset at once: who still sends would lose the answer. Nobody reads, so it can send no more.
    socket.pause();
    setTimeout(() => socket.destroy(), GRACE).unref();
  });
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
  socket.resume();
}
