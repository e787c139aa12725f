import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { checkKeyFormat, generateKey } from '@/lib/access/applications/key-format';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

beforeAll(() => {
  process.env.ENVIRONMENT = 'TEST';
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

const key = fc.constant(null).map(() => generateKey());
const character = fc.constantFrom(...BASE62);

test('every generated key is well-formed', () => {
  fc.assert(
    fc.property(key, (made) => {
      expect(made).toMatch(/^pbk_test_[0-9A-Za-z]{38}$/);
      expect(checkKeyFormat(made)).toBe('well_formed');
    }),
    { numRuns: 2000 },
  );
});

test('10,000 keys are distinct, and every character occurs at every position', () => {
  const keys = Array.from({ length: 10_000 }, generateKey);
  expect(new Set(keys).size).toBe(keys.length);
  for (let at = 9; at < 41; at += 1) expect(new Set(keys.map((made) => made.charAt(at))).size).toBe(62);
});

test('a single changed character is detected without a lookup', () => {
  fc.assert(
    fc.property(key, fc.nat({ max: 46 }), character, (made, at, other) => {
      fc.pre(made.charAt(at) !== other);
      expect(checkKeyFormat(made.slice(0, at) + other + made.slice(at + 1))).toBe('malformed');
    }),
    { numRuns: 20_000 },
  );
});

test('two swapped adjacent characters are detected', () => {
  fc.assert(
    fc.property(key, fc.nat({ max: 45 }), (made, at) => {
      fc.pre(made.charAt(at) !== made.charAt(at + 1));
      const swapped = made.slice(0, at) + made.charAt(at + 1) + made.charAt(at) + made.slice(at + 2);
      expect(checkKeyFormat(swapped)).toBe('malformed');
    }),
    { numRuns: 5000 },
  );
});

test('a truncated or extended key is malformed', () => {
  fc.assert(
    fc.property(key, fc.nat({ max: 46 }), fc.string({ minLength: 1 }), (made, length, more) => {
      expect(checkKeyFormat(made.slice(0, length))).toBe('malformed');
      expect(checkKeyFormat(made + more)).toBe('malformed');
    }),
  );
});

test('random text is malformed', () => {
  const body = fc.array(character, { minLength: 38, maxLength: 38 }).map((parts) => parts.join(''));
  // One in 4 billion random keys has a valid checksum. The test ignores this case.
  const random = fc.oneof(
    fc.string(),
    body,
    body.map((text) => `pbk_test_${text}`),
  );
  fc.assert(
    fc.property(random, (text) => {
      expect(checkKeyFormat(text)).toBe('malformed');
    }),
  );
});

test('a key of the other environment is recognized by its prefix alone', () => {
  for (const text of [
    'pbk_live_',
    'pbk_live_x',
    generateKey().replace('pbk_test_', 'pbk_live_'),
    `pbk_live_${'x'.repeat(9999)}`,
  ]) {
    expect(checkKeyFormat(text)).toBe('wrong_environment');
  }
  for (const text of ['pbk_live', 'PBK_LIVE_x', ' pbk_live_x', 'pbk_prod_x'])
    expect(checkKeyFormat(text)).toBe('malformed');
});
