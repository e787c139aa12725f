import { AppError } from '@/lib/contract/errors/app-error';
import { singleton } from '@/lib/platform/singleton';
import {
  type Budget,
  beginTransaction,
  retryConflicts,
  type WriteTx,
  within,
  writeTransaction,
} from '@/lib/platform/write-transaction';
import type { Identity } from './key';
import { bindKey, findStored, type StoredSuccess } from './store';

/** `replayed`: stored by an earlier request. */
export type Outcome = StoredSuccess & { replayed: boolean };

/** `at` is real time. `lock`: that of the tenant, by default shared. */
type Write = {
  identity: Identity;
  requestId: string;
  tenantId: string;
  at: Date;
  budget: Budget;
  lock?: (tenantId: string) => string;
};

/** Both steps run in the write's transaction. */
type Operation<First> = {
  /**
   * In the same round trip as the binding of the idempotency key. These reads run even if a success is already stored,
   * so they must not change or lock anything.
   */
  read: (tx: WriteTx) => Promise<First>;
  /**
   * Stores and returns the success. To refuse, undoes the changes and throws: some refusals do not roll back the
   * transaction (see `bindsKey`). `run` is 1, 2, or 3.
   */
  change: (tx: WriteTx, first: First, run: number) => Promise<StoredSuccess>;
};

/**
 * Performs a write at most once, or replays its stored success (contract B8). Key, claim, booking, event, and log entry
 * are committed together. After booking_unavailable and booking_version_conflict, the key stays bound without a
 * response, and a repeated request is evaluated again.
 * @throws AppError a refusal from `operation`; idempotency_key_reused if the key is bound to another request;
 * service_unavailable if the time budget is exceeded.
 */
export async function writeOnce<First>(write: Write, operation: Operation<First>): Promise<Outcome> {
  const turn = await awaitTurn(write.identity, write.budget);
  if ('replay' in turn) return { ...turn.replay, replayed: true };
  let success: StoredSuccess | null = null;
  try {
    success = await retryConflicts(write.budget, (run) => writeInTransaction(write, operation, run));
    return { ...success, replayed: success.originalRequestId !== write.requestId };
  } finally {
    turn.end(success);
  }
}

async function writeInTransaction<First>(
  write: Write,
  operation: Operation<First>,
  run: number,
): Promise<StoredSuccess> {
  const tx = await beginTransaction(write.budget, write.tenantId, write.lock);
  try {
    // In one round trip and in this order. `bindKey` waits for a concurrent duplicate in another process, and the reads
    // include its changes.
    const [begun, bound, first] = await Promise.allSettled([
      tx.begun,
      bindKey(tx, write.identity, write.requestId, write.at),
      operation.read(tx),
    ]);
    resultOf(begun);
    const success = resultOf(bound) ?? (await operation.change(tx, resultOf(first), run));
    await tx.commit();
    return success;
  } catch (error) {
    // A refused operation has undone its changes, so this commit stores only the idempotency key.
    if (bindsKey(error)) await tx.commit();
    throw error;
  } finally {
    await tx.end();
  }
}

function resultOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** If the same request can succeed later (contract B8). */
function bindsKey(error: unknown): boolean {
  return (
    error instanceof AppError && (error.code === 'booking_unavailable' || error.code === 'booking_version_conflict')
  );
}

/**
 * Returns the stored response, or throws `refusal` of `resolveOffer`, because a replay takes precedence (contract B2).
 * Does not bind the idempotency key.
 * @throws AppError `refusal`; idempotency_key_reused if the idempotency key is bound to another request.
 */
export async function replayOr(write: Write, refusal: AppError): Promise<Outcome> {
  const stored = await writeTransaction(write.budget, write.tenantId, (tx) => findStored(tx, write.identity, write.at));
  if (!stored) throw refusal;
  return { ...stored, replayed: true };
}

/** Concurrent duplicates of the request wait until the turn ends. */
type Turn = {
  /** The waiting duplicates respond with `success`. If it is null, one of them gets the next turn. */
  end: (success: StoredSuccess | null) => void;
};

function runningWrites(): Map<string, Promise<StoredSuccess | null>> {
  return singleton('idempotency:running-writes', () => new Map());
}

/**
 * Waits while an identical request is running in this process (contract B8). Returns its success as `replay`, or a
 * turn, which the caller must end. No database connection is held meanwhile, so retries cannot exhaust the pool.
 * @throws AppError service_unavailable if the wait exceeds the budget.
 */
async function awaitTurn(identity: Identity, budget: Budget): Promise<{ replay: StoredSuccess } | Turn> {
  const { applicationId, keyHash, fingerprint } = identity;
  const key = `${applicationId} ${keyHash.toString('base64')} ${fingerprint.toString('base64')}`;
  const running = runningWrites();
  for (let duplicate = running.get(key); duplicate; duplicate = running.get(key)) {
    const success = await within(budget.waitUntil, duplicate);
    if (success) return { replay: success };
  }
  // No `await` between the last `running.get` and `running.set`, or another request could run the same write.
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
