import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretFor } from './env';

const NONCE = 12;
const TAG = 16;

/**
 * Returns `text` encrypted and authenticated (AES-256-GCM). `place` says where it is kept, such as
 * `bookings.customer_name pbr_…`: a value moved to another row or column does not open there.
 */
export function seal(text: string, place: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', secretFor('encryption'), nonce).setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Returns what `seal` was given for this place.
 * @throws Error when the value was changed, moved, or sealed under another secret.
 */
export function open(sealed: Uint8Array, place: string): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv('aes-256-gcm', secretFor('encryption'), bytes.subarray(0, NONCE));
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(bytes.length - TAG));
  return decipher.update(bytes.subarray(NONCE, bytes.length - TAG), undefined, 'utf8') + decipher.final('utf8');
}
