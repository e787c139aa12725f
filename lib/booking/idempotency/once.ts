import { AppError } from '@/lib/contract/errors/app-error';
import { sharedTenantLock } from '@/lib/platform/locks';
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

/** A success: the response of this request, or the replay of an earlier one. */
export type Outcome = StoredSuccess & { replayed: boolean };

type Write = { identity: Identity; requestId: string; tenantId: string; now: Date; budget: Budget };

/** The work of a write in its transaction. */
type Operation<First> = {
  /**
   * Sends the first reads, which must neither change nor lock anything: they are sent together with the look-up of the
   * key, and discarded when it finds a stored success.
   */
  read: (tx: WriteTx) => Promise<First>;
  /** Does the work and stores the success. When it refuses, it has undone its work. */
  change: (tx: WriteTx, first: First) => Promise<StoredSuccess>;
};

/**
 * Performs a write once (contract B8). A stored success is replayed. A refusal (409) binds the key and is evaluated
 * again when the request is repeated; other errors bind nothing. Key, claim, booking, event and log entry commit
 * together.
 * @throws AppError the refusal; idempotency_key_reused; service_unavailable when the budget is exceeded.
 */
export async function writeOnce<First>(write: Write, operation: Operation<First>): Promise<Outcome> {
  const turn = await awaitTurn(write.identity, write.budget);
  if ('replay' in turn) return { ...turn.replay, replayed: true };
  let success: StoredSuccess | null = null;
  try {
    success = await retryConflicts(write.budget, () => writeInTransaction(write, operation));
    return { ...success, replayed: success.originalRequestId !== write.requestId };
  } finally {
    turn.end(success);
  }
}

async function writeInTransaction<First>(write: Write, operation: Operation<First>): Promise<StoredSuccess> {
  const tx = await beginTransaction(write.budget, sharedTenantLock(write.tenantId));
  try {
    // One round trip. `bindKey` waits for a duplicate in another process; the reads see what was committed until then.
    const [begun, bound, first] = await Promise.allSettled([
      tx.begun,
      bindKey(tx, write.identity, write.requestId, write.now),
      operation.read(tx),
    ]);
    resultOf(begun);
    const success = resultOf(bound) ?? (await operation.change(tx, resultOf(first)));
    await tx.commit();
    return success;
  } catch (error) {
    // The refused operation has undone its changes, so this commits only the bound key.
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

/** Returns whether an error is a refusal that binds the key: the same request may succeed later (contract B8). */
function bindsKey(error: unknown): boolean {
  return (
    error instanceof AppError && (error.code === 'booking_unavailable' || error.code === 'booking_version_conflict')
  );
}

/**
 * Returns the success stored for a write that cannot be resolved any more: a replay comes before resolution
 * (contract B2). Binds nothing.
 * @throws AppError `refusal` when no success is stored; idempotency_key_reused.
 */
export async function replayOr(write: Write, refusal: AppError): Promise<Outcome> {
  const stored = await writeTransaction(write.budget, sharedTenantLock(write.tenantId), (tx) =>
    findStored(tx, write.identity, write.now),
  );
  if (!stored) throw refusal;
  return { ...stored, replayed: true };
}
