import pg from 'pg';
import { countListRead } from '@/lib/activity/metrics/counters';
import { AppError } from '@/lib/contract/errors/app-error';
import { primaryDatabase, type ReadDatabase } from '@/lib/platform/db';
import { distrustReplica, hasReplica, usableReplica } from '@/lib/platform/replica/replica';
import { within } from '@/lib/platform/write-transaction';

/** Maximum milliseconds of a read on the replica. After that, the primary is read. */
const TIMEOUT = 3_000;

/**
 * Runs a read of a list on the replica or the primary and returns its result. `read` may run twice, so it must not
 * change anything.
 */
export type ListReader = <T>(read: (database: ReadDatabase) => Promise<T>) => Promise<T>;

/**
 * Returns the function with which a request reads lists. It uses the replica if there is one, if it lags behind by at
 * most `REPLICA_MAX_LAG`, and if the browser that sends the request has not just changed something. If the read fails
 * on the replica, for example because of a conflict with recovery, the primary is read.
 * @param changed whether the browser may have changed something within `REPLICA_MAX_LAG`.
 */
export function listReader(changed: boolean): ListReader {
  return async (read) => {
    if (!hasReplica()) return read(primaryDatabase());
    const replica = changed ? 'own_change' : usableReplica();
    if (typeof replica !== 'string') {
      try {
        const result = await within(performance.now() + TIMEOUT, read(replica));
        countListRead('replica', '');
        return result;
      } catch (error) {
        // A replica that responds with an error is not broken.
        const responded = error instanceof pg.DatabaseError || (error instanceof AppError && error.status < 500);
        if (!responded) distrustReplica();
      }
    }
    countListRead('primary', typeof replica === 'string' ? replica : 'failed');
    return read(primaryDatabase());
  };
}
