import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openWith, placeIn, type SealingKey, sealingKey, sealWith } from '@/lib/platform/secrets';

const PLACE = placeIn('bookings.customer_name', 'pbr_1');
const TEXT = 'Robin Sample';
const [key, previous, stranger] = ['a', 'b', 'c'].map((letter) => sealingKey(letter.repeat(32), 'TEST')) as [
  SealingKey,
  SealingKey,
  SealingKey,
];
const UNREADABLE =
  'A value of bookings.customer_name cannot be decrypted. It was modified, or it was encrypted with another secret.';

/** Encrypts a value without a key id, as earlier versions did. */
function sealWithoutId({ key: secret }: SealingKey): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(PLACE));
  return Buffer.concat([nonce, cipher.update(TEXT), cipher.final(), cipher.getAuthTag()]);
}

function refuse(sealed: Uint8Array, keys = [key, previous], place = PLACE): void {
  const error = (() => {
    try {
      return openWith(keys, sealed, place);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toEqual(new Error(UNREADABLE));
}

test('a value begins with the id of its key and is opened with either key of a rotation', () => {
  const [current, old] = [sealWith(key, TEXT, PLACE), sealWith(previous, TEXT, PLACE)];
  expect([current.subarray(0, 8), old.subarray(0, 8)]).toEqual([key.id, previous.id]);
  for (const sealed of [current, old]) expect(openWith([key, previous], sealed, PLACE)).toBe(TEXT);
  expect(openWith([key], sealWith(key, '', PLACE), PLACE)).toBe('');
  refuse(old, [key]);
});

test('a value without a key id is opened with either key', () => {
  for (const one of [key, previous]) expect(openWith([key, previous], sealWithoutId(one), PLACE)).toBe(TEXT);
  refuse(sealWithoutId(stranger));
});

test('the keys of TEST and LIVE have different ids, and an id does not reveal its key', () => {
  expect(sealingKey('a'.repeat(32), 'LIVE').id).not.toEqual(key.id);
  expect(key.key.includes(key.id)).toBe(false);
});

test('a truncated value gives an error and no text, at any length', () => {
  for (const sealed of [sealWith(key, TEXT, PLACE), sealWithoutId(key)])
    for (let length = 0; length < sealed.length; length += 1) refuse(sealed.subarray(0, length));
});

test('a changed byte, an unknown key id, or another place gives an error and no text', () => {
  const sealed = sealWith(key, TEXT, PLACE);
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    refuse(changed);
  }
  refuse(Buffer.concat([stranger.id, sealed.subarray(8)]));
  refuse(Buffer.concat([previous.id, sealed.subarray(8)]));
  refuse(sealed, [key], placeIn('bookings.customer_name', 'pbr_2'));
});
