import { createHmac, randomBytes } from 'node:crypto';
import { invalidField } from '@/lib/contract/errors/app-error';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';

/** Minutes for which a link works that only a mail shows. Invitations work longer. */
export const LINK_MINUTES = 30;
/** Maximum number of such links for one address within `LINK_MINUTES`. */
export const MAX_LINKS = 3;

const hashOf = (token: string, key: Buffer) => new Uint8Array(createHmac('sha256', key).update(token).digest());

/** Returns a new token for a link that only a mail shows, and the keyed hash that the database contains instead. */
export function newMailedToken(): { token: string; tokenHash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashOf(token, tokenKeyFor('mail')) };
}

/** Returns the hashes that the database can contain for such a token. There are several while a secret is rotated. */
export function hashesOfMailed(token: string): Uint8Array<ArrayBuffer>[] {
  return acceptedTokenKeys('mail').map((key) => hashOf(token, key));
}

/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** Returns whether a text has the format of a token. This check costs nothing, so it comes before all others. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the token in a body without a schema. @throws AppError invalid_request if it has none. */
export function tokenIn(body: unknown): string {
  const token: unknown = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
  if (typeof token !== 'string') throw invalidField('token', 'is required');
  return token;
}
