import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretFor } from './env';

const NONCE = 12;
const TAG = 16;

/**
 * Encrypts and authenticates `text` with AES-256-GCM. `place` identifies the column and the row that store the value,
 * such as `bookings.customer_name pbr_…`. If a value is copied to another column or row, it cannot be decrypted there.
 */
export function seal(text: string, place: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', secretFor('encryption'), nonce).setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a value that `seal` returned.
 * @throws Error if the value was modified, was sealed for another `place`, or was sealed with another secret.
 */
export function open(sealed: Uint8Array, place: string): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', secretFor('encryption'), bytes.subarray(0, NONCE));
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(bytes.length - TAG));
  return decipher.update(bytes.subarray(NONCE, bytes.length - TAG), undefined, 'utf8') + decipher.final('utf8');
}
