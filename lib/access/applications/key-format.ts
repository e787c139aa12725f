import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { env } from '@/lib/platform/env';
import { hashKeyFor } from '@/lib/platform/secrets';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** With or without the id of a cell. Only the length distinguishes these two formats. */
const KEY = /^pbk_(?:test|live)_(?:[0-9a-z]{4})?[0-9A-Za-z]{38}$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Returns a new API key for this environment, with 32 random base62 characters and a checksum (contract B10). */
export function generateKey(cell = env().CELL ?? ''): string {
  let key = env().keyPrefix + cell;
  for (let i = 0; i < RANDOM_LENGTH; i += 1) key += BASE62.charAt(randomInt(62));
  return key + checksum(key);
}

/** Characters after the prefix that are not secret, the id of the cell included. */
const START_LENGTH = 12;

/** Returns the start of a well-formed key, which is stored and shown. At least 20 random characters remain secret. */
export function startOfKey(key: string): string {
  return key.slice(0, env().keyPrefix.length + START_LENGTH);
}

export type KeyFormat = 'well_formed' | 'malformed' | 'wrong_environment';

/** Checks the format of a key, its environment (contract B3), and its checksum, without reading the database. */
export function checkKeyFormat(key: string): KeyFormat {
  const { keyPrefix } = env();
  const other = keyPrefix === 'pbk_test_' ? 'pbk_live_' : 'pbk_test_';
  if (key.startsWith(other)) return 'wrong_environment';
  if (!key.startsWith(keyPrefix) || !KEY.test(key)) return 'malformed';
  return checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH) ? 'well_formed' : 'malformed';
}

/** Returns the HMAC that is stored instead of a key, so that a dump alone cannot check a guess (contract B10). */
export function hashKey(key: string): Buffer {
  return createHmac('sha256', hashKeyFor('api-key')).update(key).digest();
}
