import { expect, test } from 'vitest';
import { emailAddress, providerAddress, typedAddress } from '@/lib/access/owners/email';

test('only the letters A to Z become lowercase', () => {
  expect(typedAddress(' Kim@Bravo.Example\n')).toBe('kim@bravo.example');
  expect(typedAddress('\u212Aim@bravo.example')).toBe('\u212Aim@bravo.example');
  expect(typedAddress('\u0130da@bravo.example')).toBe('\u0130da@bravo.example');
});

test.for([
  '\u212Aim@bravo.example',
  'kim@br\u00E4vo.example',
  ' kim@bravo.example',
  'kim@bravo.example\n',
  'kim@bravo.example\0',
  'kim',
  'kim@a@b',
  `${'k'.repeat(243)}@bravo.example`,
  ['kim@bravo.example'],
  undefined,
])('a provider’s address %j is refused', (address) => {
  expect(providerAddress(address)).toBeNull();
});

test('a provider’s address in capital letters is accepted', () => {
  expect(providerAddress('KIM+1@bravo.example')).toBe('kim+1@bravo.example');
});

test('an address for an account is trimmed, in lowercase, and of ASCII characters', () => {
  expect(emailAddress.parse(' Kim@Bravo.Example ')).toBe('kim@bravo.example');
  for (const address of [
    '\u212Aim@bravo.example',
    'kim@br\u00E4vo.example',
    'a b@c',
    `pbk_test_${'0'.repeat(16)}@bravo.example`,
    `${'k'.repeat(243)}@bravo.example`,
  ])
    expect(emailAddress.safeParse(address).success).toBe(false);
});
