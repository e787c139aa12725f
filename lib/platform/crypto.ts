import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { env } from './env';
import type { Place } from './sealed-columns';
import { deriveSecret, knownSecrets, secretState, writingSecret } from './secrets';
import { singleton } from './singleton';

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Bytes. In a database from an earlier version, values have no key id until SECRET_KEY is first rotated. */
export const KEY_ID = 8;

/** The id is not secret. It shows which key encrypted a value. */
export type SealingKey = { id: Buffer; key: Buffer };

/** Derives the key that encrypts values, and its id, from a master secret. */
export function sealingKey(secretKey: string, environment: 'TEST' | 'LIVE'): SealingKey {
  return {
    id: deriveSecret(secretKey, environment, 'key-id').subarray(0, KEY_ID),
    key: deriveSecret(secretKey, environment, 'encryption'),
  };
}

const keyOf = (secretKey: string): SealingKey =>
  singleton(`sealing-key:${secretKey}`, () => sealingKey(secretKey, env().ENVIRONMENT));

export const keyIdText = ({ id }: SealingKey): string => id.toString('hex');

/** Returns the ids, in hexadecimal, of the encryption keys that this process has. */
export function ownKeyIds(): string[] {
  return knownSecrets().map((secretKey) => keyIdText(keyOf(secretKey)));
}

/** Encrypts and authenticates `text` with AES-256-GCM. A value that is copied to another place cannot be decrypted. */
export function seal(text: string, place: Place): Buffer {
  const sealed = sealWith(keyOf(writingSecret()), text, place);
  return secretState().keyIds ? sealed : sealed.subarray(KEY_ID);
}

/** Like `seal`, but with the given key. The result always begins with the key id. */
export function sealWith({ id, key }: SealingKey, text: string, place: Place): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
  return Buffer.concat([id, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a value that `seal` returned.
 * @throws Error if it was modified, belongs to another `place`, or was sealed with a secret that this process lacks.
 */
export function open(sealed: Uint8Array, place: Place): string {
  return openWith(knownSecrets().map(keyOf), sealed, place);
}

/** Decrypts a value of one of the keys. @throws Error like `open`, which names the column but not the value. */
export function openWith(keys: readonly SealingKey[], sealed: Uint8Array, place: Place): string {
  const bytes = Buffer.from(sealed);
  for (const { id, key } of keys) {
    const text = id.equals(bytes.subarray(0, KEY_ID)) ? decrypt(key, bytes.subarray(KEY_ID), place) : null;
    if (text !== null) return text;
  }
  // The value may have no key id (see `KEY_ID`), so every key is tried.
  for (const { key } of keys) {
    const text = decrypt(key, bytes, place);
    if (text !== null) return text;
  }
  const [column] = place.split(' ', 1);
  throw new Error(
    `A value of ${column} cannot be decrypted. It was modified, or it was encrypted with another secret.`,
  );
}

function decrypt(key: Buffer, bytes: Buffer, place: Place): string | null {
  if (bytes.length < NONCE + TAG) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(bytes.length - TAG));
  const text = decipher.update(bytes.subarray(NONCE, bytes.length - TAG));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
