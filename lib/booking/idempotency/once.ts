import { createHmac } from 'node:crypto';
import { INSERT_LOG_ENTRIES } from '@/lib/activity/request-log/insert';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { AppError, invalidBecause, invalidField } from '@/lib/contract/errors/app-error';
import type { SuccessStatus } from '@/lib/contract/operations';
import { hashKeyFor, open, type Place, placeIn, seal } from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { nullable, param, statement } from '@/lib/platform/sql';
import {
  type Budget,
  beginTransaction,
  retryConflicts,
  type WriteTx,
  within,
  writeTransaction,
} from '@/lib/platform/write-transaction';

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

const HEADER = 'Idempotency-Key';

/** Contract B8. */
export type Identity = { applicationId: string; keyHash: Buffer; fingerprint: Buffer };

/**
 * Parses an Idempotency-Key header, and removes one pair of quotes (contract B8). Node joins several headers with a
 * comma and a space, which is refused.
 * @throws AppError invalid_request if the header is missing or malformed.
 */
export function parseIdempotencyKey(header: string | null): string {
  if (header === null) throw invalidBecause('idempotency_key_required');
  const key = /^".*"$/.test(header) && header.length > 1 ? header.slice(1, -1) : header;
  if (!/^[\x21-\x7e]{16,128}$/.test(key)) {
    throw invalidField(HEADER, 'must be one value of 16 to 128 printable ASCII characters without spaces');
  }
  return key;
}

function keyed(...parts: string[]): Buffer {
  const hmac = createHmac('sha256', hashKeyFor('idempotency'));
  // With the length of each part, different lists of parts have different hashes.
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest();
}

/** Returns the identity of a write (contract B8): keyed hashes, so that nobody can read or guess the key or the body. */
export function identityOf(applicationId: string, key: string, method: string, path: string, body: unknown): Identity {
  return {
    applicationId,
    keyHash: keyed('key', applicationId, key),
    fingerprint: keyed('request', method, path, canonicalJson(body)),
  };
}

/** The order of property names does not change the fingerprint of a request. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Contract B8. */
const KEPT_DAYS = 7;

/** `data` is JSON, and the id is that of the original request. */
export type StoredSuccess = {
  status: SuccessStatus;
  data: string;
  originalRequestId: string;
  /** Null for a test event, which belongs to no booking (contract B14). */
  bookingReference: string | null;
};

type Row = {
  fingerprint: Buffer;
  status: SuccessStatus | null;
  response: Buffer | null;
  request_id: string;
  booking_reference: string | null;
};

/**
 * Binds and locks an idempotency key, and returns its row, in one round trip. Waits for a concurrent duplicate. An
 * expired row is overwritten. Otherwise, only its request id is replaced, unless a success is stored.
 */
export const BIND_KEY = statement<Row>('idempotency-bind')`
  INSERT INTO idempotency_keys AS k (application_id, key_hash, fingerprint, request_id, created_at, expires_at)
  VALUES (${param.text('applicationId')}, ${param.bytea('keyHash')}, ${param.bytea('fingerprint')},
    ${param.text('requestId')}, ${param.timestamptz('now')}, ${param.timestamptz('expiresAt')})
  ON CONFLICT (application_id, key_hash) DO UPDATE SET
    fingerprint = CASE WHEN k.expires_at <= ${param.timestamptz('now')} THEN EXCLUDED.fingerprint ELSE k.fingerprint END,
    status = CASE WHEN k.expires_at <= ${param.timestamptz('now')} THEN NULL ELSE k.status END,
    response = CASE WHEN k.expires_at <= ${param.timestamptz('now')} THEN NULL ELSE k.response END,
    booking_reference = CASE WHEN k.expires_at <= ${param.timestamptz('now')} THEN NULL ELSE k.booking_reference END,
    request_id = CASE WHEN k.expires_at <= ${param.timestamptz('now')} OR k.status IS NULL
      THEN EXCLUDED.request_id ELSE k.request_id END,
    created_at = CASE WHEN k.expires_at <= ${param.timestamptz('now')} THEN EXCLUDED.created_at ELSE k.created_at END,
    expires_at = CASE WHEN k.expires_at <= ${param.timestamptz('now')} THEN EXCLUDED.expires_at ELSE k.expires_at END
  RETURNING fingerprint, status, response, request_id, booking_reference`;

const FIND = statement<Row>('idempotency-find')`
  SELECT fingerprint, status, response, request_id, booking_reference FROM idempotency_keys
  WHERE application_id = ${param.text('applicationId')} AND key_hash = ${param.bytea('keyHash')}
    AND expires_at > ${param.timestamptz('now')}`;

/** Returns the place of a stored response, which cannot be decrypted for another idempotency key. */
export function responseContext({ applicationId, keyHash }: Pick<Identity, 'applicationId' | 'keyHash'>): Place {
  return placeIn('idempotency_keys.response', applicationId, keyHash);
}

/**
 * Binds the key, and returns the stored response of an earlier success, or null (contract B8). The row stays locked
 * until the transaction ends, and a concurrent duplicate waits here.
 * @throws AppError idempotency_key_reused if the idempotency key is bound to another request.
 */
async function bindKey(tx: WriteTx, identity: Identity, requestId: string, now: Date): Promise<StoredSuccess | null> {
  const expiresAt = new Date(now.getTime() + KEPT_DAYS * 86_400_000);
  const [row] = await tx.query(BIND_KEY, { ...identity, requestId, now, expiresAt });
  return row ? storedIn(row, identity) : null;
}

/**
 * Returns the stored success of the request, or null. Does not bind the idempotency key.
 * @throws AppError idempotency_key_reused if the idempotency key is bound to another request.
 */
async function findStored(tx: WriteTx, identity: Identity, now: Date): Promise<StoredSuccess | null> {
  const { applicationId, keyHash } = identity;
  const [row] = await tx.query(FIND, { applicationId, keyHash, now });
  return row ? storedIn(row, identity) : null;
}

function storedIn(row: Row, identity: Identity): StoredSuccess | null {
  if (!row.fingerprint.equals(identity.fingerprint)) throw new AppError('idempotency_key_reused');
  if (row.status === null || row.response === null) return null;
  return {
    status: row.status,
    data: open(row.response, responseContext(identity)),
    originalRequestId: row.request_id,
    bookingReference: row.booking_reference,
  };
}

const STORE = statement<never>('idempotency-store')`
  WITH log_entry AS (
    ${INSERT_LOG_ENTRIES} RETURNING request_id)
  UPDATE idempotency_keys SET status = ${param.smallint('status')}, response = ${param.bytea('response')},
    request_id = ${param.text('requestId')}, booking_reference = ${nullable(param.text('bookingReference'))}
  WHERE application_id = ${param.text('applicationId')} AND key_hash = ${param.bytea('keyHash')}`;

type Answered = {
  status?: SuccessStatus;
  identity: Identity;
  requestId: string;
  logEntry: LogEntry;
  /** JSON. */
  data: string;
  bookingReference?: string | null;
};

/** Stores the response of a write and its log entry. Most changes of a booking do so in their own statement. */
export async function storeSuccess(
  tx: WriteTx,
  { status = 200, identity, requestId, logEntry, data, bookingReference = null }: Answered,
): Promise<StoredSuccess> {
  const { applicationId, keyHash } = identity;
  await tx.query(STORE, {
    ...{ status, applicationId, keyHash, requestId, bookingReference },
    logEntries: JSON.stringify([logEntry]),
    response: seal(data, responseContext(identity)),
  });
  return { status, data, originalRequestId: requestId, bookingReference };
}
