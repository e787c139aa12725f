import { singleton } from '@/lib/platform/singleton';
import { type Budget, within } from '@/lib/platform/write-transaction';
import type { Identity } from './key';
import type { StoredSuccess } from './store';

/** The turn of a write. Its concurrent duplicates wait until it ends. */
type Turn = {
  /** Ends the turn. Waiting duplicates replay the success; after null, one of them takes the next turn. */
  end: (success: StoredSuccess | null) => void;
};

function runningWrites(): Map<string, Promise<StoredSuccess | null>> {
  return singleton('idempotency:running-writes', () => new Map());
}

/**
 * Waits until no identical request runs in this process. Returns the success of the duplicate it waited for, or the
 * turn to run the write itself (contract B8). Waiting takes no database connection: many retries at once must not
 * exhaust the pool.
 * @throws AppError service_unavailable when the wait exceeds the budget.
 */
export async function awaitTurn(identity: Identity, budget: Budget): Promise<{ replay: StoredSuccess } | Turn> {
  const { applicationId, keyHash, fingerprint } = identity;
  const key = `${applicationId} ${keyHash.toString('base64')} ${fingerprint.toString('base64')}`;
  const running = runningWrites();
  for (let duplicate = running.get(key); duplicate; duplicate = running.get(key)) {
    const success = await within(budget.waitUntil, duplicate);
    if (success) return { replay: success };
  }
  // No `await` between the check above and this entry: only one request can take the turn.
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
