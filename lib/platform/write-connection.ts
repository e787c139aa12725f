import type pg from 'pg';
import { pool } from './db';
import { env } from './env';
import { singleton } from './singleton';
import { createTurns, type Turns } from './turns';

/**
 * Fraction of the pool's connections that writes must not use. These connections remain available for reads and for the
 * request log.
 */
const RESERVED = 1 / 8;
/**
 * Fraction of the pool's connections on which writes may run concurrently. Writes that are assumed to be waiting for a
 * lock do not count. More concurrent writes would not increase the write rate, because all of them share the database's
 * CPU cores, but they would delay other requests more.
 */
const ACTIVE = 1 / 4;
/**
 * Number of writes that may run concurrently in addition to those of `ACTIVE`, but only for clients without a running
 * write. Without these, such a client would have to wait until a write of a busier client ends.
 */
const EXTRA = 2;
/**
 * Number of milliseconds after which a running write is assumed to be waiting for a lock, so another write may start.
 */
const LONGEST = 50;

/** A pool connection for one write. */
export type WriteConnection = {
  client: pg.PoolClient;
  /** Returns the connection to the pool, or closes it if `destroy` is true. */
  release: (destroy?: boolean) => void;
};

/**
 * How a write waits for a connection. `client` identifies the client that sent the write, because clients take turns.
 * `waited` is called with the number of milliseconds that the write waited.
 */
export type Queue = { client: string; waited: (milliseconds: number) => void };

/** Returns the maximum number of concurrent writes, not counting writes that wait for a lock and the `EXTRA` writes. */
export function activeWrites(): number {
  return Math.ceil(env().DATABASE_POOL * ACTIVE);
}

function turns(): Turns {
  const { DATABASE_POOL } = env();
  const most = Math.max(1, DATABASE_POOL - Math.ceil(DATABASE_POOL * RESERVED));
  return singleton('write-turns', () => createTurns(most, { most: activeWrites(), age: LONGEST, extra: EXTRA }));
}

/**
 * Waits for a pool connection. If writes from several clients are waiting, the clients take turns, so that a client
 * with many writes does not delay the other clients' writes.
 */
export async function acquireForWrite(queue?: Queue): Promise<WriteConnection> {
  const begun = performance.now();
  const endTurn = await turns().take(queue?.client ?? '');
  try {
    const connection = await pool().connect();
    queue?.waited(performance.now() - begun);
    const release = (destroy?: boolean) => {
      connection.release(destroy);
      endTurn();
    };
    return { client: connection, release };
  } catch (error) {
    endTurn();
    throw error;
  }
}
