import type pg from 'pg';
import { pool } from './db';
import { env } from './env';
import { singleton } from './singleton';
import { outsideScopes } from './tenant-scope';
import { takeOwnTurn } from './tenant-turns';
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
 * While writes are refused because of an overload and several clients write, only this fraction of the writes that
 * `ACTIVE` allows may run, rounded up. The overloading client then delays the other clients less. It gets about as many
 * writes as before, because refusals use processor time that the database would need for more concurrent writes. The
 * fraction has an effect only if at least four writes may run.
 */
const WHILE_REFUSING = 3 / 4;
/** Milliseconds for which a refusal or a change of client counts. */
const RECENT = 1_000;
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

/**
 * What determines whether `WHILE_REFUSING` applies. The times are values of `performance.now()`. This is a singleton,
 * because the bundle of Next.js contains another copy of this module.
 */
type Recent = {
  /** When `noteRefusedWrite` was last called. */
  refusedAt: number;
  /** The client of the latest write. */
  client: string;
  /** When a write last came from a different client than the write before it. */
  changedAt: number;
};

function recent(): Recent {
  return singleton('write-recent', () => ({
    refusedAt: Number.NEGATIVE_INFINITY,
    client: '',
    changedAt: Number.NEGATIVE_INFINITY,
  }));
}

/** Records that a write was refused because of an overload. */
export function noteRefusedWrite(): void {
  recent().refusedAt = performance.now();
}

/**
 * Returns how many writes may run at the same time, without the reduction by `WHILE_REFUSING`. Does not count the
 * `EXTRA` writes, or writes that wait for a lock.
 */
export function activeWrites(): number {
  return Math.ceil(env().DATABASE_POOL * ACTIVE);
}

function runningWrites(): number {
  const { refusedAt, changedAt } = recent();
  const since = performance.now() - RECENT;
  return refusedAt > since && changedAt > since ? Math.ceil(activeWrites() * WHILE_REFUSING) : activeWrites();
}

function noteClient(client: string): void {
  const latest = recent();
  if (client === latest.client) return;
  latest.client = client;
  latest.changedAt = performance.now();
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
  const { client = '' } = queue ?? {};
  noteClient(client);
  // The turn of a tenant's Control Center comes first, so that no owner's change waits with a turn that partners need.
  const endOwnTurn = await takeOwnTurn();
  const endWriteTurn = await turns().take(client);
  const end = () => {
    endWriteTurn();
    endOwnTurn();
  };
  try {
    const connection = await outsideScopes(() => pool().connect());
    queue?.waited(performance.now() - begun);
    const release = (destroy?: boolean) => {
      connection.release(destroy);
      end();
    };
    return { client: connection, release };
  } catch (error) {
    end();
    throw error;
  }
}
