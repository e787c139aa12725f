import { createHmac } from 'node:crypto';
import { invalidBecause, invalidField } from '@/lib/contract/errors/app-error';
import { hashKeyFor } from '@/lib/platform/secrets';

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

/**
 * Returns the identity of a write (contract B8): keyed hashes, so that nobody can read or guess the key or the body.
 */
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
