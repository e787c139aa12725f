import { createHash, sign, verify } from 'node:crypto';
import { type Signer, signerFrom, verifierOf } from '@/lib/platform/ed25519';
import { env } from '@/lib/platform/env';
import { deriveSecret } from '@/lib/platform/secrets';

/** Derives the key with which a deployment signs exports from its secret. */
export function signerOf(secretKey: string): Signer {
  return signerFrom(deriveSecret(secretKey, env().ENVIRONMENT, 'export'));
}

/** Returns a new hash for the content of an export. The signature signs its digest. */
export const beginDigest = () => createHash('sha512');

/** Signs a digest. Returns the signature in base64url. */
export function signDigest(digest: Buffer, { key }: Signer): string {
  return sign(null, digest, key).toString('base64url');
}

/** Returns whether a signature in base64url was made for a digest with the private key of `publicKey`. */
export function isSignedBy(publicKey: string, digest: Buffer, signature: string): boolean {
  return verify(null, digest, verifierOf(publicKey), Buffer.from(signature, 'base64url'));
}
