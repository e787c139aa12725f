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
 * The fraction of the pool's connections on which writes run at the same time. More writes at a time would not increase
 * the rate of writes, because they would share the CPU cores of the database. All requests would take longer: with 3/8
 * instead of 1/4, twice as long on two cores.
 */
const ACTIVE = 1 / 4;
/** Number of milliseconds after which a write is assumed to wait for a lock, so that another write may start. */
const LONGEST = 50;

/** A connection of the pool for one write. */
export type WriteConnection = {
  client: pg.PoolClient;
  /** Returns the connection to the pool, or closes it if `destroy` is true. */
  release: (destroy?: boolean) => void;
};

/**
 * `client` identifies the client of a write, because clients take turns. `waited` is called with the number of
 * milliseconds for which the write waited for a connection.
 */
export type Queue = { client: string; waited: (milliseconds: number) => void };

/** Returns the maximum number of writes that run at the same time while no write waits for a lock. */
export function activeWrites(): number {
  return Math.ceil(env().DATABASE_POOL * ACTIVE);
}

function turns(): Turns {
  const { DATABASE_POOL } = env();
  const most = Math.max(1, DATABASE_POOL - Math.ceil(DATABASE_POOL * RESERVED));
  return singleton('write-turns', () => createTurns(most, { most: activeWrites(), age: LONGEST }));
}

/**
 * Waits for a connection of the pool. While the writes of several clients wait, these clients take turns, so that a
 * client with many writes does not delay the writes of the others.
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
