import pg from 'pg';
import { countListRead } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { primaryDatabase, type ReadDatabase } from '@/lib/platform/db';
import { distrustReplica, hasReplica, usableReplica } from '@/lib/platform/replica/replica';
import { takeOwnTurn } from '@/lib/platform/tenant-turns';
import { within } from '@/lib/platform/write-transaction';

/** Maximum milliseconds of a read on the replica. After this time, the primary is read instead. */
const TIMEOUT = 3_000;

/**
 * Runs a read of a list on the replica or the primary and returns its result. `read` may run twice, so it must not
 * change anything.
 */
export type ListReader = <T>(read: (database: ReadDatabase) => Promise<T>) => Promise<T>;

/**
 * Returns the function with which a request reads lists. The function reads from the replica if there is one, unless
 * the replica lags behind by more than `REPLICA_MAX_LAG` or the browser has just changed something. If the read
 * fails on the replica, for example because of a conflict with recovery, the function reads from the primary.
 * @param changed whether the browser may have changed something within `REPLICA_MAX_LAG`.
 */
export function listReader(changed: boolean): ListReader {
  return async (read) => {
    if (!hasReplica()) return read(primaryDatabase());
    const replica = changed ? 'own_change' : usableReplica();
    if (typeof replica !== 'string') {
      // The wait for the turn does not count toward the timeout, because it says nothing about the replica.
      const endTurn = await takeOwnTurn('replica');
      try {
        const result = await within(performance.now() + TIMEOUT, read(replica));
        countListRead('replica', '');
        return result;
      } catch (error) {
        // A replica that responds, even with an error, is available, so it stays in use.
        const responded = error instanceof pg.DatabaseError || (error instanceof AppError && error.status < 500);
        if (!responded) distrustReplica();
      } finally {
        endTurn();
      }
    }
    countListRead('primary', typeof replica === 'string' ? replica : 'failed');
    return read(primaryDatabase());
  };
}
