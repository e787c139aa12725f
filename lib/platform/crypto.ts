import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretFor } from './env';

const NONCE = 12;
const TAG = 16;

/**
 * Encrypts and authenticates `text` with AES-256-GCM. `place` identifies the column and the row that hold the value,
 * such as `bookings.customer_name pbr_…`. A value that was moved to another place cannot be decrypted.
 */
export function seal(text: string, place: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', secretFor('encryption'), nonce).setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a value from `seal`.
 * @throws Error if the value was modified, moved, or sealed with another secret.
 */
export function open(sealed: Uint8Array, place: string): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', secretFor('encryption'), bytes.subarray(0, NONCE));
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(bytes.length - TAG));
  return decipher.update(bytes.subarray(NONCE, bytes.length - TAG), undefined, 'utf8') + decipher.final('utf8');
}
