import { singleton } from '@/lib/platform/singleton';
import { type Budget, within } from '@/lib/platform/write-transaction';
import type { Identity } from './key';
import type { StoredSuccess } from './store';

/** The exclusive right of one request to run a write. Concurrent duplicates of the request wait until the turn ends. */
type Turn = {
  /**
   * Ends the turn. The waiting duplicates then respond with `success`. If `success` is null, one of them gets the next
   * turn.
   */
  end: (success: StoredSuccess | null) => void;
};

function runningWrites(): Map<string, Promise<StoredSuccess | null>> {
  return singleton('idempotency:running-writes', () => new Map());
}

/**
 * Waits while an identical request is running in this process (contract B8). If that request succeeds, returns its
 * success as `replay`. Otherwise, returns a turn. The caller must then run the write and end the turn. A waiting
 * request holds no database connection, so retries cannot exhaust the pool.
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
  // There must be no `await` between the last `running.get` and `running.set`. Otherwise, another request could run the
  // same write at the same time.
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
