import type pg from 'pg';
import { pool } from './db';
import { env } from './env';
import { singleton } from './singleton';
import { createTurns, type Turns } from './turns';

/** The part of the pool's connections that is left to reads and to the request log while many writes wait. */
const RESERVED = 1 / 8;

/** A connection of the pool for one write. */
export type WriteConnection = {
  client: pg.PoolClient;
  /** Returns the connection to the pool, or closes it if `destroy` is true. */
  release: (destroy?: boolean) => void;
};

/** The client whose writes take turns with those of others, and a function that gets the milliseconds of each wait. */
export type Queue = { client: string; waited: (milliseconds: number) => void };

function turns(): Turns {
  const { DATABASE_POOL } = env();
  return singleton('write-turns', () => createTurns(Math.max(1, DATABASE_POOL - Math.ceil(DATABASE_POOL * RESERVED))));
}

/**
 * Waits for a connection. While more writes wait than there are connections, the clients take turns, so that a client
 * with many writes does not delay those of the others.
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
