import { singleton } from '@/lib/platform/singleton';
import { type Budget, within } from '@/lib/platform/write-transaction';
import type { Identity } from './key';
import type { StoredSuccess } from './store';

/** The right of one request to run a write. Concurrent duplicates of the request wait until it ends its turn. */
type Turn = {
  /**
   * Ends the turn. If the write succeeded, the waiting duplicates replay its success. If `success` is null, one of them
   * gets the next turn.
   */
  end: (success: StoredSuccess | null) => void;
};

function runningWrites(): Map<string, Promise<StoredSuccess | null>> {
  return singleton('idempotency:running-writes', () => new Map());
}

/**
 * Waits until no identical request runs in this process. Returns the success of the duplicate that it waited for, or
 * the turn, with which the caller must run the write (contract B8). Waiting occupies no database connection, because
 * many simultaneous retries could otherwise exhaust the pool.
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
  // There must be no `await` between the check above and `running.set`, so that only one request gets the turn.
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
