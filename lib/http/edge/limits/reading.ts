import type { Duplex } from 'node:stream';

/**
 * Maximum bytes of bodies that are read in one turn of the event loop, from all connections together. Without this
 * limit, Node reads up to 2 MiB of each connection in one turn, and hundreds of uploads would delay other requests by
 * seconds.
 */
const BYTES_PER_TURN = 128 * 1024;
/** The number of bytes that Node reads at a time. */
const READ = 64 * 1024;

/** The connections that are not read in this turn, in the order in which they will be. */
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
