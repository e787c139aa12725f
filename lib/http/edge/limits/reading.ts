import type { Duplex } from 'node:stream';

/**
 * Once this many bytes of bodies have been read in a turn of the event loop, from all connections together, each
 * connection is paused after its next read. Without this limit, Node reads up to 2 MiB of each connection in one turn,
 * and hundreds of uploads would delay other requests by seconds.
 */
const BYTES_PER_TURN = 128 * 1024;
/** The number of bytes that Node reads at a time. */
const READ = 64 * 1024;

/** The connections that are not read in this turn, in the order in which they will be resumed. */
const paused = new Set<Duplex>();
let bytesInTurn = 0;
let scheduled = false;

/**
 * Counts bytes of a body that were read from a connection. Returns true if more of them may be read in this turn of the
 * event loop. Otherwise pauses the connection, and resumes it in a later turn.
 */
export function mayReadOn(socket: Duplex, bytes: number): boolean {
  bytesInTurn += bytes;
  if (!scheduled) {
    scheduled = true;
    setImmediate(beginTurn);
  }
  if (bytesInTurn <= BYTES_PER_TURN) return true;
  paused.add(socket);
  socket.pause();
  return false;
}

/** Removes a connection from those that will be resumed. */
export function neverResume(socket: Duplex): void {
  paused.delete(socket);
}

/** Resumes as many connections as can be read in one turn. */
function beginTurn(): void {
  scheduled = paused.size > 0;
  if (scheduled) setImmediate(beginTurn);
  bytesInTurn = 0;
  let left = BYTES_PER_TURN;
  for (const socket of paused) {
    if (left <= 0) return;
    left -= READ;
    paused.delete(socket);
    socket.resume();
  }
}
