import { createHmac } from 'node:crypto';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';

/** Bytes. Within a tenant, two words practically never have the same hash. */
const LENGTH = 8;
/** Maximum number of words by which a name is found. */
const MAX_WORDS = 8;

/** Letters that have no decomposition, and how people without them on the keyboard write them. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
};

const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');

/**
 * Returns the different words of a name of at most 200 characters, in lower case and without marks: `Zoë SAMPLE-Robin`
 * has the words `zoe`, `sample`, and `robin`.
 */
export function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const folded = plain.replaceAll(FOLDABLE, (letter) => FOLDED[letter] ?? letter);
  return [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))].slice(0, MAX_WORDS);
}

/** Returns the keyed hashes of the words of a name. */
export function hashName(key: Buffer, tenantId: string, name: string): Buffer[] {
  return wordsOf(name).map((word) =>
    createHmac('sha256', key).update(`${tenantId} ${word}`).digest().subarray(0, LENGTH),
  );
}

/** Returns the hashes to store with a booking. */
export function storedNameHashes(tenantId: string, name: string): Buffer[] {
  return hashName(tokenKeyFor('name'), tenantId, name);
}

/**
 * Returns the hashes to search for: all of the first list or all of the second. During a rotation, stored ones may have the
 * new or the previous secret. Otherwise, both lists are equal.
 */
export function searchedNameHashes(tenantId: string, name: string): [Buffer[], Buffer[]] {
  const [current = [], previous = current] = acceptedTokenKeys('name').map((key) => hashName(key, tenantId, name));
  return [current, previous];
}
