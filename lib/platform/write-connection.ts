import type pg from 'pg';
import { pool } from './db';
import { env } from './env';
import { singleton } from './singleton';
import { outsideScopes } from './tenant-scope';
import { takeOwnTurn } from './tenant-turns';
import { createTurns, type Turns } from './turns';

/**
 * The fractions of the pool's connections that running writes of one application, of one tenant, and of all together, may
 * use. More concurrent writes would not increase the write rate, because all writes share the database's processors.
 * Writes that wait for a lock count, so an application whose writes wait delays only itself, and a tenant with many such
 * applications no other tenant.
 */
const EACH = 1 / 4;
const OF_TENANT = 1 / 2;
const ALL = 3 / 4;

export type WriteConnection = {
  client: pg.PoolClient;
  /** Closes the connection if `destroy` is true. */
  release: (destroy?: boolean) => void;
};

function turns(): Turns {
  const part = (fraction: number) => Math.ceil(env().DATABASE_POOL * fraction);
  return singleton('write-turns', () => createTurns(part(ALL), part(EACH), part(OF_TENANT)));
}

/**
 * Waits for a pool connection for a write. Tenants take turns, and so do the clients of a tenant, so that a client with many
 * writes does not delay others.
 * @param client what identifies the client, such as the id of its application.
 */
export async function acquireForWrite(tenantId: string, client = tenantId): Promise<WriteConnection> {
  // First, so that no owner's change waits with a turn that partners need.
  const endOwnTurn = await takeOwnTurn();
  const endWriteTurn = await turns().take(client, tenantId);
  const end = () => {
    endWriteTurn();
    endOwnTurn();
  };
  try {
    const connection = await outsideScopes(() => pool().connect());
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
