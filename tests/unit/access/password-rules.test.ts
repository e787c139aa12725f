import { expect, test } from 'vitest';
import { verifyPassword } from '@/lib/access/owners/password-hash';
import { passwordProblem } from '@/lib/access/owners/password-rules';

const OWN = ['olivia.owner@harbour-studio.example', 'Olivia Owner', 'Harbour Studio Berlin'];

test.each([
  'correct horse battery',
  'a password of all callers',
  'Grün wächst das Gras',
  '8d6jkq-0f2mxz-31',
  '的密码很长很长很长很长很长很',
  'Olivia likes the harbour',
])('accepts %s', async (password) => {
  expect(await passwordProblem(password.padEnd(15, '.'), OWN)).toBeNull();
});

test.each([
  ['fourteen chars', 'must have 15 to 1024 characters'],
  // Fifteen UTF-16 code units, but only eight code points.
  ['😀😀😀😀😀😀😀a', 'must have 15 to 1024 characters'],
  ['x'.repeat(1025), 'must have 15 to 1024 characters'],
  ['aaaaaaaaaaaaaaaaaaaa', 'must not repeat the same few characters'],
  ['abcabcabcabcabcab', 'must not repeat the same few characters'],
  ['qzjxvqzjxvqzjxv', 'must not repeat the same few characters'],
  ['aaaaaaaaaaaaaaab', 'must not repeat the same few characters'],
  ['abcdefghijklmnop', 'must not be a sequence of letters or digits'],
  ['112233445566778', 'must not be a sequence of letters or digits'],
  ['987654321098765', 'must not be a sequence of letters or digits'],
  ['passwordpassword', 'is too common'],
  ['PasswordPassword', 'is too common'],
  ['123456789012345', 'is too common'],
  ['!!baseball!!2026', 'is too common'],
  ['qwertyuiop12345', 'is too common'],
])('refuses %.40s', async (password, problem) => {
  expect(await passwordProblem(password, OWN)).toBe(problem);
});

test.each([
  'olivia.owner@harbour-studio.example',
  'Olivia.Owner@Harbour-Studio.Example1',
  'olivia.owner-2026',
  'Harbour-Studio.example!',
  'harbourstudioberlin',
  'harbourstudio2026',
  'Harbour Studio Berlin 2026!',
  'Olivia Owner 12345',
  'Control Center 1',
])('refuses %s, which anyone would guess for this person', async (password) => {
  expect(await passwordProblem(password, OWN)).toContain('must not be your name');
});

test('a password is the same in every Unicode form, and older hashes of another form still work', async () => {
  const [composed, decomposed] = ['schöne Grüße an alle', 'schöne Grüße an alle'].map((text, index) =>
    text.normalize(index ? 'NFD' : 'NFC'),
  ) as [string, string];
  const { hash } = await import('@node-rs/argon2');
  const stored = await hash(composed);
  expect([await verifyPassword(stored, composed), await verifyPassword(stored, decomposed)]).toEqual([true, true]);
  expect(await verifyPassword(stored, 'schone Grusse an alle')).toBe(false);
  const older = await hash(decomposed);
  expect(await verifyPassword(older, decomposed)).toBe(true);
});
