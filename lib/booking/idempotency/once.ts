import { AppError } from '@/lib/contract/errors/app-error';
import { tenantLock } from '@/lib/platform/locks';
import { singleton } from '@/lib/platform/singleton';
import { type Budget, type WriteTx, within, writeTransaction } from '@/lib/platform/write-transaction';
import type { Identity } from './key';
import { bindKey, findStored, type StoredSuccess } from './store';

/** A success: made by this request, or replayed from the one that made it. */
export type Outcome = StoredSuccess & { replayed: boolean };

type Write = { identity: Identity; requestId: string; tenantId: string; now: Date; budget: Budget };

type Work = () => Promise<StoredSuccess>;

function underWay(): Map<string, Promise<StoredSuccess | null>> {
  return singleton('idempotency:under-way', () => new Map());
}

/**
 * Does a write once (contract B8): a stored success is replayed; a refusal (409) binds the key and is evaluated again
 * when the request comes back; anything else binds nothing. Key, claim, booking, event and log line commit together.
 * @param operate does the work within the transaction. When it refuses, it has undone what it did.
 * @throws AppError the refusal; idempotency_key_reused; service_unavailable when waiting took too long.
 */
export async function writeOnce(write: Write, operate: (tx: WriteTx) => Promise<StoredSuccess>): Promise<Outcome> {
  return behindTwins(write, async () => {
    const result = await writeTransaction(write.budget, tenantLock(write.tenantId), (tx) =>
      evaluate(tx, write, operate),
    );
    if (result instanceof AppError) throw result;
    return result;
  });
}

/**
 * Answers a write that cannot be done whatever its key says: with the success stored for it, if there is one, since a
 * replay comes before resolution (contract B2), else with the refusal. Binds nothing.
 */
export async function replayOr(write: Write, refusal: AppError): Promise<Outcome> {
  const stored = await writeTransaction(write.budget, tenantLock(write.tenantId), (tx) =>
    findStored(tx, write.identity, write.now),
  );
  if (!stored) throw refusal;
  return { ...stored, replayed: true };
}

async function evaluate(tx: WriteTx, write: Write, operate: (tx: WriteTx) => Promise<StoredSuccess>) {
  const stored = await bindKey(tx, write.identity, write.requestId, write.now);
  if (stored) return stored;
  try {
    return await operate(tx);
  } catch (error) {
    // Returned, not thrown: the transaction commits, and with it the bound key.
    if (error instanceof AppError && bindsKey(error)) return error;
    throw error;
  }
}

/** The refusals that bind a key: the same request may succeed later (contract B8). */
function bindsKey(error: AppError): boolean {
  return error.code === 'booking_unavailable' || error.code === 'booking_version_conflict';
}

/**
 * Identical requests within one process wait for the first on a promise and hold no connection meanwhile: a storm of
 * retries must not empty the pool. If the first stored no success, one of them becomes the next first.
 */
async function behindTwins({ identity, requestId, budget }: Write, work: Work): Promise<Outcome> {
  const { applicationId, keyHash, fingerprint } = identity;
  const key = `${applicationId} ${keyHash.toString('base64')} ${fingerprint.toString('base64')}`;
  const writes = underWay();
  for (;;) {
    const twin = writes.get(key);
    if (!twin) break;
    const stored = await within(budget.waitUntil, twin);
    if (stored) return { ...stored, replayed: true };
  }
  const working = work();
  writes.set(
    key,
    working.catch(() => null),
  );
  try {
    const success = await working;
    return { ...success, replayed: success.originalRequestId !== requestId };
  } finally {
    writes.delete(key);
  }
}
