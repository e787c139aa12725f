import { AppError } from '@/lib/contract/errors/app-error';
import type { SuccessStatus } from '@/lib/contract/operations';
import { open } from '@/lib/platform/crypto';
import { type Place, placeIn } from '@/lib/platform/sealed-columns';
import { param, statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { Identity } from './key';

/** Number of days for which an idempotency key is kept (contract B8). */
export const KEPT_DAYS = 7;

/** The stored response to a successful write: its data as JSON, and the id of the original request. */
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
 * Binds an idempotency key to a request, locks the row of the idempotency key, and returns the row, in one round trip.
 * Waits for a concurrent duplicate that holds the lock. If the row has expired, it is overwritten. Otherwise, only
 * its request id is replaced, and only if the row contains no stored success.
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

/**
 * Returns the column and the row for which a stored response is encrypted. The response cannot be decrypted for another
 * row, and thus not for another idempotency key.
 */
export function responseContext({ applicationId, keyHash }: Pick<Identity, 'applicationId' | 'keyHash'>): Place {
  return placeIn('idempotency_keys.response', applicationId, keyHash);
}

/**
 * Binds the idempotency key to the request. Returns the stored response of an earlier success, or null if there is none
 * (contract B8). The row of the idempotency key stays locked until the transaction ends. A concurrent duplicate waits
 * in this function.
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
 * Returns the stored success of the request, or null if none is stored. Does not bind the idempotency key.
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
