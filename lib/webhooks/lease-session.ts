import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { withEachPoll } from '@/lib/platform/cache';
import { leaseSessionLock } from '@/lib/platform/locks';
import { singleton } from '@/lib/platform/singleton';

/** Milliseconds. If PostgreSQL restarted, other processes need this time to take their locks again. */
const RECONNECT_TIME = 3_000;

type Session = { id: number; client: pg.Client | null; isHeld: boolean; freesFrom: number };

/** Random, so that a successor of this process has another id. */
const state = (): Session =>
  singleton('webhooks:session', () => ({ id: randomInt(1, 2 ** 31), client: null, isHeld: false, freesFrom: 0 }));

/** Returns the id of the session that holds the leases of this process, or null. */
export function leaseSession(): number | null {
  const { id, isHeld } = state();
  return isHeld ? id : null;
}

/** Holds an advisory lock, which ends with the process, and frees the leases of sessions that have ended. */
export function holdLeases(): void {
  withEachPoll(async (client) => {
    const session = state();
    const { take, free } = leaseSessionLock(session.id);
    if (session.client !== client) {
      await client.query(take);
      if (session.client) session.freesFrom = performance.now() + RECONNECT_TIME;
      Object.assign(session, { client, isHeld: true });
      client.once('end', () => {
        session.isHeld = false;
      });
    }
    if (performance.now() >= session.freesFrom) await client.query(free);
  });
}
