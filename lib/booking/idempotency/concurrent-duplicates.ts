import { singleton } from '@/lib/platform/singleton';
import { type Budget, within } from '@/lib/platform/write-transaction';
import type { Identity } from './key';
import type { StoredSuccess } from './store';

/** The exclusive right of one request to run a write. Concurrent duplicates of the request wait until the turn ends. */
type Turn = {
  /**
   * Ends the turn. Waiting duplicates replay `success`. If `success` is null, one of the duplicates gets the next
   * turn.
   */
  end: (success: StoredSuccess | null) => void;
};

function runningWrites(): Map<string, Promise<StoredSuccess | null>> {
  return singleton('idempotency:running-writes', () => new Map());
}

/**
 * Waits while an identical request is running in this process (contract B8). If that request succeeds, returns its
 * success as `replay`. Otherwise, returns a turn: it is now the caller's turn to run the write. After the write, the
 * caller must end the turn. A waiting request holds no database connection, so retries cannot exhaust the pool.
 * @throws AppError service_unavailable if the wait exceeds the budget.
 */
export async function awaitTurn(identity: Identity, budget: Budget): Promise<{ replay: StoredSuccess } | Turn> {
  const { applicationId, keyHash, fingerprint } = identity;
  const key = `${applicationId} ${keyHash.toString('base64')} ${fingerprint.toString('base64')}`;
  const running = runningWrites();
  for (let duplicate = running.get(key); duplicate; duplicate = running.get(key)) {
    const success = await within(budget.waitUntil, duplicate);
    if (success) return { replay: success };
  }
  // There must be no `await` between the last check of `running` and `running.set`. Otherwise, several requests
  // could each get a turn to run the same write.
  let settle: (success: StoredSuccess | null) => void = () => undefined;
  const settled = new Promise<StoredSuccess | null>((resolve) => {
    settle = resolve;
  });
  running.set(key, settled);
  const end = (success: StoredSuccess | null) => {
    running.delete(key);
    settle(success);
  };
  return { end };
}
