import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

// To verify an Ed25519 signature, another deployment needs only the public key, and not the secret.

/** DER of an Ed25519 private key (RFC 8410) up to the 32 bytes of the key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** `publicKey` is in base64url. */
export type Signer = { key: KeyObject; publicKey: string };

/** Returns the key pair of a secret seed of 32 bytes. */
export function signerFrom(seed: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return { key, publicKey: createPublicKey(key).export({ format: 'jwk' }).x ?? '' };
}

/** Returns whether a text is 32 bytes in base64url. */
export function isPublicKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

/** Returns the key with which signatures of a public key in base64url are verified. */
export function verifierOf(publicKey: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
}
