import { createHash } from 'node:crypto';

/** Returns the hash of the bookings of one day, in any order. */
export function dayHash(bookings: readonly { reference: string; version: number }[]): string {
  const lines = bookings.map(({ reference, version }) => `${reference}:${version}\n`).sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}
