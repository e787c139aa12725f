import { AppError } from '@/lib/contract/errors/app-error';
import { open } from '@/lib/platform/crypto';
import type { Statement, WriteTx } from '@/lib/platform/write-transaction';
import type { Identity } from './key';

/** Days that a key is kept (contract B8). */
export const KEPT_DAYS = 7;

/** A stored success, as it is replayed: its data as JSON, and the id of the request that made it. */
export type StoredSuccess = { status: 200 | 201; data: string; originalRequestId: string; bookingReference: string };

type Row = {
  fingerprint: Buffer;
  status: 200 | 201 | null;
  response: Buffer | null;
  request_id: string;
  booking_reference: string | null;
  ours: boolean;
};

/**
 * Binds a key, or returns what is bound to it. The update changes nothing on a living row: it makes the statement wait
 * for a twin under way, lock the row, and return what is there, in one round trip. An expired row is taken over.
 */
export const BIND: Statement = {
  name: 'idempotency-bind',
  text: `
    INSERT INTO idempotency_keys AS k (application_id, key_hash, fingerprint, request_id, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (application_id, key_hash) DO UPDATE SET
      fingerprint = CASE WHEN k.expires_at <= $5 THEN EXCLUDED.fingerprint ELSE k.fingerprint END,
      status = CASE WHEN k.expires_at <= $5 THEN NULL ELSE k.status END,
      response = CASE WHEN k.expires_at <= $5 THEN NULL ELSE k.response END,
      booking_reference = CASE WHEN k.expires_at <= $5 THEN NULL ELSE k.booking_reference END,
      request_id = CASE WHEN k.expires_at <= $5 OR k.status IS NULL THEN EXCLUDED.request_id ELSE k.request_id END,
      created_at = CASE WHEN k.expires_at <= $5 THEN EXCLUDED.created_at ELSE k.created_at END,
      expires_at = CASE WHEN k.expires_at <= $5 THEN EXCLUDED.expires_at ELSE k.expires_at END
    RETURNING fingerprint, status, response, request_id, booking_reference`,
};

const FIND: Statement = {
  name: 'idempotency-find',
  text: `
    SELECT fingerprint, status, response, request_id, booking_reference FROM idempotency_keys
    WHERE application_id = $1 AND key_hash = $2 AND expires_at > $3`,
};

/** Where a stored response is sealed; it opens nowhere else. */
export function responsePlace(identity: Pick<Identity, 'applicationId' | 'keyHash'>): string {
  return `idempotency_keys.response ${identity.applicationId} ${identity.keyHash.toString('base64')}`;
}

/**
 * Binds the key to the request within the transaction, or returns the success that is stored for it (contract B8).
 * The row stays locked until the transaction ends: a twin waits here.
 * @throws AppError idempotency_key_reused when the key stands for another request.
 */
export async function bindKey(
  tx: WriteTx,
  identity: Identity,
  requestId: string,
  now: Date,
): Promise<StoredSuccess | null> {
  const expiresAt = new Date(now.getTime() + KEPT_DAYS * 86_400_000);
  const values = [identity.applicationId, identity.keyHash, identity.fingerprint, requestId, now, expiresAt];
  const [row] = await tx.query<Row>(BIND, values);
  return row ? storedIn(row, identity) : null;
}

/**
 * Returns the success stored for the request, if any, without binding the key: for a request that is refused anyway.
 * @throws AppError idempotency_key_reused.
 */
export async function findStored(tx: WriteTx, identity: Identity, now: Date): Promise<StoredSuccess | null> {
  const [row] = await tx.query<Row>(FIND, [identity.applicationId, identity.keyHash, now]);
  return row ? storedIn(row, identity) : null;
}

function storedIn(row: Row, identity: Identity): StoredSuccess | null {
  if (!row.fingerprint.equals(identity.fingerprint)) throw new AppError('idempotency_key_reused');
  if (row.status === null || row.response === null) return null;
  return {
    status: row.status,
    data: open(row.response, responsePlace(identity)),
    originalRequestId: row.request_id,
    bookingReference: row.booking_reference ?? '',
  };
}
