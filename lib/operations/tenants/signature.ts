import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { env } from '@/lib/platform/env';
import { deriveSecret } from '@/lib/platform/secrets';

// To verify an Ed25519 signature, another deployment needs only the public key, and not the secret.

/** DER of an Ed25519 private key (RFC 8410) up to the 32 bytes of the key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** `publicKey` is in base64url. */
export type Signer = { key: KeyObject; publicKey: string };

/** Derives the key with which a deployment signs exports from its secret. */
export function signerOf(secretKey: string): Signer {
  const seed = deriveSecret(secretKey, env().ENVIRONMENT, 'export');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return { key, publicKey: createPublicKey(key).export({ format: 'jwk' }).x ?? '' };
}

/** Returns whether a text is 32 bytes in base64url. */
export function isPublicKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

/** Returns a new hash for the content of an export. The signature signs its digest. */
export const beginDigest = () => createHash('sha512');

/** Signs a digest. Returns the signature in base64url. */
export function signDigest(digest: Buffer, { key }: Signer): string {
  return sign(null, digest, key).toString('base64url');
}

/** Returns whether a signature in base64url was made for a digest with the private key of `publicKey`. */
export function isSignedBy(publicKey: string, digest: Buffer, signature: string): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
  return verify(null, digest, key, Buffer.from(signature, 'base64url'));
}
