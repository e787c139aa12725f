import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds between checks of all connections. */
const SWEEP = 1_000;
/** Number of consecutive checks without progress after which a connection is closed. */
const PATIENCE = 30;
/** Replaces `PATIENCE` while more than `MAX_UNREAD` bytes are unread. */
const PATIENCE_IF_CROWDED = 2;
/**
 * Maximum sum of the unread bytes of all connections. Above this maximum, `PATIENCE_IF_CROWDED` replaces `PATIENCE`.
 */
const MAX_UNREAD = 64 * 1024 * 1024;

/**
 * `sent` is the number of bytes that had been sent at the last check. `looks` is the number of consecutive checks
 * without progress.
 */
type Progress = { sent: number; looks: number };

type Options = { sweep?: number; patience?: number };

/**
 * Closes connections whose clients do not read their responses. Such responses would otherwise stay in memory. Call
 * this function before the server listens.
 */
export function closeStuck(server: Server, { sweep = SWEEP, patience = PATIENCE }: Options = {}): void {
  const sockets = new Map<Socket, Progress>();
  server.on('connection', (socket) => {
    sockets.set(socket, { sent: 0, looks: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    let unread = 0;
    for (const socket of sockets.keys()) unread += socket.writableLength;
    const most = unread > MAX_UNREAD ? PATIENCE_IF_CROWDED : patience;
    for (const [socket, progress] of sockets) if (looksStuck(socket, progress) > most) socket.destroy();
  }, sweep);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function looksStuck(socket: Socket, progress: Progress): number {
  const sent = socket.bytesWritten - socket.writableLength;
  if (socket.writableLength === 0 || sent !== progress.sent) progress.looks = 0;
  else progress.looks++;
  progress.sent = sent;
  return progress.looks;
}
