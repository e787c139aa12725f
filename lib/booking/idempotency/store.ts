import { INSERT_LOG_ENTRIES } from '@/lib/activity/request-log/insert';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { AppError } from '@/lib/contract/errors/app-error';
import type { SuccessStatus } from '@/lib/contract/operations';
import { open, seal } from '@/lib/platform/crypto';
import { type Place, placeIn } from '@/lib/platform/sealed-columns';
import { nullable, param, statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { Identity } from './key';

/** Contract B8. */
export const KEPT_DAYS = 7;

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
export async function bindKey(
  tx: WriteTx,
  identity: Identity,
  requestId: string,
  now: Date,
): Promise<StoredSuccess | null> {
  const expiresAt = new Date(now.getTime() + KEPT_DAYS * 86_400_000);
  const [row] = await tx.query(BIND_KEY, { ...identity, requestId, now, expiresAt });
  return row ? storedIn(row, identity) : null;
}

/**
 * Returns the stored success of the request, or null. Does not bind the idempotency key.
 * @throws AppError idempotency_key_reused if the idempotency key is bound to another request.
 */
export async function findStored(tx: WriteTx, identity: Identity, now: Date): Promise<StoredSuccess | null> {
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
  UPDATE idempotency_keys SET status = 200, response = ${param.bytea('response')},
    request_id = ${param.text('requestId')}, booking_reference = ${nullable(param.text('bookingReference'))}
  WHERE application_id = ${param.text('applicationId')} AND key_hash = ${param.bytea('keyHash')}`;

type Answered = {
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
  { identity, requestId, logEntry, data, bookingReference = null }: Answered,
): Promise<StoredSuccess> {
  const { applicationId, keyHash } = identity;
  await tx.query(STORE, {
    ...{ applicationId, keyHash, requestId, bookingReference },
    logEntries: JSON.stringify([logEntry]),
    response: seal(data, responseContext(identity)),
  });
  return { status: 200, data, originalRequestId: requestId, bookingReference };
}
