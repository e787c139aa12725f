import { beforeEach, expect, test, vi } from 'vitest';
import {
  acceptedTokenKeys,
  deriveHashKeys,
  expectSecretState,
  hashKeyFor,
  open,
  placeIn,
  STATE_LIFE,
  seal,
  setSecretState,
  tokenKeyFor,
} from '@/lib/platform/secrets';
import { beginFile } from '@/tests/support/fresh-process';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const PLACE = placeIn('totp_factors.secret', 'usr_1');
const settings = { ENVIRONMENT: 'TEST', DATABASE_URL: 'postgresql://localhost/none' };
const state = (writing: string | null) => ({ writing, hashKeys: deriveHashKeys(OLD, 'TEST'), keyIds: true });

/** Resets this process, as if it had just started with these secrets. */
function start(SECRET_KEY: string, SECRET_KEY_PREVIOUS = ''): void {
  beginFile({ ...settings, SECRET_KEY, SECRET_KEY_PREVIOUS });
}

beforeEach(() => start(OLD));

test('during a rotation, both secrets are accepted, and the state determines which one is used', () => {
  const before = { sealed: seal('x', PLACE), hash: hashKeyFor('api-key'), cursor: tokenKeyFor('cursor') };
  start(NEW, OLD);
  setSecretState(state(OLD));
  expect(tokenKeyFor('cursor')).toEqual(before.cursor);
  setSecretState(state(NEW));
  expect(tokenKeyFor('cursor')).not.toEqual(before.cursor);
  expect(acceptedTokenKeys('cursor')).toContainEqual(before.cursor);
  expect(open(before.sealed, PLACE)).toBe('x');
  const after = seal('x', PLACE);
  start(NEW);
  setSecretState(state(NEW));
  expect(open(after, PLACE)).toBe('x');
  expect(() => open(before.sealed, PLACE)).toThrow('encrypted with another secret');
  expect(acceptedTokenKeys('cursor')).not.toContainEqual(before.cursor);
  expect(hashKeyFor('api-key')).toEqual(before.hash);
});

test('in a database of an earlier version, values get no key id, and are read with and without it', () => {
  const sealed = seal('x', PLACE);
  setSecretState({ ...state(OLD), keyIds: false });
  const short = seal('x', PLACE);
  expect([sealed.length, short.length]).toEqual([37, 29]);
  for (const value of [sealed, short]) expect(open(value, PLACE)).toBe('x');
});

test('a server uses no secret before it has read the state', () => {
  expectSecretState();
  for (const use of [() => seal('x', PLACE), () => tokenKeyFor('session'), () => hashKeyFor('api-key')])
    expect(use).toThrow('has not yet read from the database');
});

test('a server without the new secret encrypts nothing, but recognizes keys', () => {
  expectSecretState();
  setSecretState(state(null));
  expect(() => seal('x', PLACE)).toThrow('Restart this server with the new SECRET_KEY.');
  expect(hashKeyFor('api-key')).toHaveLength(32);
});

test('a server with two secrets encrypts nothing with an old state', () => {
  const now = vi.spyOn(performance, 'now');
  try {
    for (const [previous, refused] of [
      [OLD, true],
      ['', false],
    ] as const) {
      start(NEW, previous);
      expectSecretState();
      now.mockReturnValue(1_000);
      setSecretState(state(NEW));
      now.mockReturnValue(1_000 + STATE_LIFE);
      expect(seal('x', PLACE)).toHaveLength(37);
      now.mockReturnValue(1_001 + STATE_LIFE);
      if (refused) expect(() => seal('x', PLACE)).toThrow('cannot determine which SECRET_KEY is current');
      else expect(seal('x', PLACE)).toHaveLength(37);
    }
  } finally {
    now.mockRestore();
  }
});
