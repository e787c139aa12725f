import type pg from 'pg';
import { pool } from './db';
import { env } from './env';
import { singleton } from './singleton';
import { createTurns, type Turns } from './turns';

/** Fraction of the pool's connections that is reserved for reads and for the request log. Writes must not use it. */
const RESERVED = 1 / 8;
/**
 * The fraction of the pool's connections that running writes may use at the same time. Writes that wait for a lock are
 * not counted. More concurrent writes would not increase the write rate, because all writes share the database's CPU
 * cores. They would only delay other requests.
 */
const ACTIVE = 1 / 4;
/**
 * While writes are being refused because of an overload, only this fraction of the writes that `ACTIVE` allows may run.
 * Refusals use processor time that the database then does not have, so the write rate stays the same. Writes of other
 * clients take less time.
 */
const WHILE_REFUSING = 3 / 4;
/** Milliseconds after a refusal for which `WHILE_REFUSING` applies. */
const REFUSING = 1_000;
/**
 * Number of additional concurrent writes that are reserved for clients without a running write. Such a client therefore
 * does not wait for the writes of a busier client.
 */
const EXTRA = 2;
/** Milliseconds after which a running write probably waits for a lock. Another write may then start. */
const LONGEST = 50;

export type WriteConnection = {
  client: pg.PoolClient;
  /** Returns the connection to the pool, or closes it if `destroy` is true. */
  release: (destroy?: boolean) => void;
};

/**
 * Describes a write that waits for a connection. `client` identifies the client that sent the write, because clients
 * take turns. `waited` is called with the number of milliseconds that the write waited.
 */
export type Queue = { client: string; waited: (milliseconds: number) => void };

/** When `noteRefusedWrite` was last called, as a value of `performance.now()`. */
let refusedAt = Number.NEGATIVE_INFINITY;

/** Records that a write was refused because of an overload. */
export function noteRefusedWrite(): void {
  refusedAt = performance.now();
}

/**
 * Returns how many writes may run at the same time while no write is refused. Does not count the `EXTRA` writes, or
 * writes that wait for a lock.
 */
export function activeWrites(): number {
  return Math.ceil(env().DATABASE_POOL * ACTIVE);
}

function runningWrites(): number {
  const isRefusing = performance.now() - refusedAt < REFUSING;
  return isRefusing ? Math.ceil(activeWrites() * WHILE_REFUSING) : activeWrites();
}

function turns(): Turns {
  const { DATABASE_POOL } = env();
  const most = Math.max(1, DATABASE_POOL - Math.ceil(DATABASE_POOL * RESERVED));
  return singleton('write-turns', () => createTurns(most, { most: runningWrites, age: LONGEST, extra: EXTRA }));
}

/**
 * Waits for a pool connection for a write. The clients that send writes take turns, so that a client with many writes
 * does not delay other clients.
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
