import { AppError } from '@/lib/contract/errors/app-error';
import {
  type Budget,
  beginTransaction,
  retryConflicts,
  type WriteTx,
  writeTransaction,
} from '@/lib/platform/write-transaction';
import { awaitTurn } from './concurrent-duplicates';
import type { Identity } from './key';
import { bindKey, findStored, type StoredSuccess } from './store';

/** A successful response. `replayed` is true if it was stored by an earlier request, and false if it is new. */
export type Outcome = StoredSuccess & { replayed: boolean };

type Write = { identity: Identity; requestId: string; tenantId: string; now: Date; budget: Budget };

/** The two steps of a write. Both run in the write's transaction. */
type Operation<First> = {
  /**
   * Runs the first reads of the write, in the same round trip as the statement that binds the idempotency key. These
   * reads run even if a success is already stored, so they must not change or lock anything.
   */
  read: (tx: WriteTx) => Promise<First>;
  /**
   * Makes the changes, stores the success, and returns the stored success. To refuse the write, undoes the changes and
   * throws the refusal. Undoing is necessary because some refusals do not roll back the transaction (see `bindsKey`).
   * @param run the number of the transaction's run: 1, 2, or 3.
   */
  change: (tx: WriteTx, first: First, run: number) => Promise<StoredSuccess>;
};

/**
 * Performs a write at most once, or replays its stored success (contract B8). The idempotency key, claim, booking,
 * event, and log entry are committed together. After the refusals booking_unavailable and booking_version_conflict, the
 * idempotency key stays bound to the request, but no response is stored. A repeated request is evaluated again.
 * @throws AppError a refusal from `operation`; idempotency_key_reused if the idempotency key is bound to another
 *   request; service_unavailable if the time budget is exceeded.
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
  const tx = await beginTransaction(write.budget, write.tenantId);
  try {
    // These statements are sent in one round trip, and run in this order. `bindKey` waits for a concurrent duplicate in
    // another process. The reads run after it, so they include the duplicate's changes.
    const [begun, bound, first] = await Promise.allSettled([
      tx.begun,
      bindKey(tx, write.identity, write.requestId, write.now),
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

/**
 * Returns whether the idempotency key stays bound to a request that was refused with this error. The key stays bound
 * if the same request can succeed later (contract B8).
 */
function bindsKey(error: unknown): boolean {
  return (
    error instanceof AppError && (error.code === 'booking_unavailable' || error.code === 'booking_version_conflict')
  );
}

/**
 * Returns the stored response if the write has already succeeded, and throws `refusal` otherwise. Called after
 * `resolveOffer` has refused a request, because a replay takes precedence over that refusal (contract B2). Does not
 * bind the idempotency key.
 * @throws AppError `refusal` if no response is stored; idempotency_key_reused if the idempotency key is bound to
 *   another request.
 */
export async function replayOr(write: Write, refusal: AppError): Promise<Outcome> {
  const stored = await writeTransaction(write.budget, write.tenantId, (tx) =>
    findStored(tx, write.identity, write.now),
  );
  if (!stored) throw refusal;
  return { ...stored, replayed: true };
}
