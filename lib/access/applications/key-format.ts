import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { env } from '@/lib/platform/env';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const KEY = /^pbk_(?:test|live)_[0-9A-Za-z]{38}$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Returns a new API key of this environment: prefix, 32 random base62 characters, checksum (contract B10). */
export function generateKey(): string {
  let key: string = env().keyPrefix;
  for (let i = 0; i < RANDOM_LENGTH; i += 1) key += BASE62.charAt(randomInt(62));
  return key + checksum(key);
}

/** What a presented key looks like before anything is looked up. */
export type KeyForm = 'well_formed' | 'malformed' | 'wrong_environment';

/**
 * Tells what a presented key looks like: of the other environment (told from the prefix alone, contract B3),
 * malformed (a typo fails the checksum), or worth a look-up.
 */
export function keyForm(key: string): KeyForm {
  const { keyPrefix } = env();
  const other = keyPrefix === 'pbk_test_' ? 'pbk_live_' : 'pbk_test_';
  if (key.startsWith(other)) return 'wrong_environment';
  if (!key.startsWith(keyPrefix) || !KEY.test(key)) return 'malformed';
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH) ? 'well_formed' : 'malformed';
}
