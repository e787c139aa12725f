import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { checkKeyFormat, generateKey } from '@/lib/access/applications/key-format';
import { withoutSecrets } from '@/lib/platform/redact';
import { containsSecret } from '@/lib/platform/text/secret';

// Each test file reads the settings only once, so the tests with a cell need a separate file.
beforeAll(() => {
  Object.assign(process.env, { ENVIRONMENT: 'TEST', CELL: 'eu01' });
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

const key = fc.constant(null).map(() => generateKey());
const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');

test('new keys contain the id of the cell, and keys without one or of another cell stay well-formed', () => {
  expect(generateKey()).toMatch(/^pbk_test_eu01[0-9A-Za-z]{38}$/);
  expect(generateKey('')).toMatch(/^pbk_test_[0-9A-Za-z]{38}$/);
  for (const cell of ['eu01', '', 'us07', '0000'])
    for (let i = 0; i < 200; i += 1) expect(checkKeyFormat(generateKey(cell))).toBe('well_formed');
});

test('a changed, missing, or additional character is detected, also in the id of the cell', () => {
  fc.assert(
    fc.property(key, fc.nat({ max: 50 }), character, (made, at, other) => {
      fc.pre(made.charAt(at) !== other);
      expect(checkKeyFormat(made.slice(0, at) + other + made.slice(at + 1))).toBe('malformed');
    }),
    { numRuns: 5_000 },
  );
  fc.assert(
    fc.property(key, fc.nat({ max: 50 }), fc.string({ minLength: 1 }), (made, length, more) => {
      expect(checkKeyFormat(made.slice(0, length))).toBe('malformed');
      expect(checkKeyFormat(made + more)).toBe('malformed');
      expect(checkKeyFormat(made.replace('eu01', ''))).toBe('malformed');
      expect(checkKeyFormat(made.replace('eu01', 'EU01'))).toBe('malformed');
    }),
  );
});

test('a key of another environment is recognized, and a key is removed from logs and refused in texts', () => {
  const made = generateKey();
  expect(checkKeyFormat(made.replace('test', 'live'))).toBe('wrong_environment');
  expect(withoutSecrets(`key ${made}`)).toBe('key [key]');
  expect(containsSecret(made)).toBe(true);
});
