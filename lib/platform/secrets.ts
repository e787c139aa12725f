import { hkdfSync } from 'node:crypto';
import { env } from './env';
import { singleton } from './singleton';

/**
 * The purposes of the HMAC keys with which stored hashes are computed. A rotation of SECRET_KEY does not change these
 * keys, because the hashes could not be computed again.
 */
export const HASH_PURPOSES = ['api-key', 'idempotency', 'invitation', 'recovery-code', 'setup'] as const;
export type HashPurpose = (typeof HASH_PURPOSES)[number];

/**
 * The purposes of keys, such as cookies, cursors, tickets, and hashes of phone numbers. Each purpose has its own key.
 * During a rotation, values made with SECRET_KEY or with SECRET_KEY_PREVIOUS are accepted.
 */
type TokenPurpose = 'cursor' | 'passkey' | 'phone' | 'session' | 'sign-in';

type Purpose = HashPurpose | TokenPurpose | 'backup' | 'encryption' | 'export' | 'fingerprint' | 'key-id';

/**
 * Derives a 32-byte key for one purpose from a master secret. A leaked key does not reveal the keys for other purposes.
 * TEST and LIVE get different keys, even from the same master secret.
 */
export function deriveSecret(secretKey: string, environment: 'TEST' | 'LIVE', purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, environment, `partner-booking/${purpose}`, 32));
}

/** The HMAC keys with which stored hashes are computed, in base64. */
export type HashKeys = Record<HashPurpose, string>;

/**
 * Derives the HMAC keys for stored hashes from SECRET_KEY. After a rotation of SECRET_KEY, the server still uses the
 * keys that were derived from the first SECRET_KEY. The database contains them.
 */
export function deriveHashKeys(secretKey: string, environment: 'TEST' | 'LIVE'): HashKeys {
  const entries = HASH_PURPOSES.map((purpose) => [purpose, deriveSecret(secretKey, environment, purpose)] as const);
  return Object.fromEntries(entries.map(([purpose, key]) => [purpose, key.toString('base64')])) as HashKeys;
}

/**
 * What the database records about the deployment's secrets.
 * - `writing`: the secret with which values are written. Null if this process lacks a secret that the database needs.
 * - `hashKeys`: the HMAC keys for stored hashes. Null if they are derived from `writing`.
 * - `keyIds`: whether new encrypted values start with a key id. Servers of earlier releases cannot decrypt values with
 *   a key id. If such a release created the database, `keyIds` is therefore false until the first rotation.
 */
export type SecretState = { writing: string | null; hashKeys: HashKeys | null; keyIds: boolean };

/** A secret state, and the time at which it was read from the database, as a value of `performance.now()`. */
type KnownState = SecretState & { readAt: number };

/**
 * Maximum age of the secret state, in milliseconds. If a server has two secrets and its state is older, it writes with
 * neither secret. `npm run rotate-secret` therefore knows when all servers have stopped writing with the previous
 * secret.
 */
export const STATE_LIFE = 5_000;

/** The error message for a process that was started before a rotation that is now complete. */
export const ROTATED = 'SECRET_KEY was rotated. Restart this server with the new SECRET_KEY.';

type Holder = { state: KnownState | null; expected: boolean; problem: string | null };

function holder(): Holder {
  return singleton('secrets:state', () => ({ state: null, expected: false, problem: null }));
}

/**
 * Stores a secret state that was just read from the database. Call this only if this process has every secret that the
 * database needs.
 */
export function setSecretState(state: SecretState): void {
  Object.assign(holder(), { state: { ...state, readAt: performance.now() }, problem: null });
}

/**
 * Records that this process lacks a secret that the database needs. The process then writes no encrypted values. Known
 * hash keys are kept, because they never change.
 * @param problem tells the operator what is missing and what to do.
 */
export function setSecretProblem(problem: string): void {
  const { state } = holder();
  Object.assign(holder(), { state: state && { ...state, writing: null }, problem });
}

/** Returns which secret this process lacks and what to do, or null if it lacks none. */
export function secretProblem(): string | null {
  return holder().problem;
}

/**
 * Marks this process as one that reads the secret state regularly. Until the first read, `tokenKeyFor`, `hashKeyFor`,
 * and `writingSecret` throw.
 */
export function expectSecretState(): void {
  holder().expected = true;
}

/** Returns the secrets that this process accepts: SECRET_KEY, and during a rotation also SECRET_KEY_PREVIOUS. */
export function knownSecrets(): string[] {
  const { SECRET_KEY, SECRET_KEY_PREVIOUS } = env();
  return SECRET_KEY_PREVIOUS ? [SECRET_KEY, SECRET_KEY_PREVIOUS] : [SECRET_KEY];
}

/** Returns whether this process has read the secret state (see `SecretState`) from the database. */
export function hasSecretState(): boolean {
  return holder().state !== null;
}

/** Returns the milliseconds since the secret state was last read, or `Infinity` if it was never read. */
export function secretStateAge(): number {
  const { state } = holder();
  return state ? performance.now() - state.readAt : Number.POSITIVE_INFINITY;
}

/**
 * Returns what the database records about the secrets. In a process that does not read this state from the database,
 * returns the state of a deployment whose SECRET_KEY was never rotated.
 * @throws Error if this process must read the state (see `expectSecretState`), but no read has succeeded yet.
 */
export function secretState(): SecretState {
  const { state, expected } = holder();
  if (state) return state;
  if (expected) throw new Error('This server has not yet read from the database which SECRET_KEY is current.');
  return { writing: env().SECRET_KEY, hashKeys: null, keyIds: true };
}

/**
 * Returns the secret with which this process encrypts and signs.
 * @throws Error if this process lacks a secret that the database needs, or if the secret state has not been read yet.
 *   During a rotation, also throws if the state was read too long ago to show which of the two secrets is in use.
 */
export function writingSecret(): string {
  const { writing } = secretState();
  const { state, expected, problem } = holder();
  if (writing === null) throw new Error(problem ?? ROTATED);
  if (expected && state && env().SECRET_KEY_PREVIOUS && secretStateAge() > STATE_LIFE)
    throw new Error(
      'This server cannot determine which SECRET_KEY is current, because its connection that polls the database is broken.',
    );
  return writing;
}

function derived(purpose: Purpose, secretKey: string): Buffer {
  return singleton(`secret:${purpose}:${secretKey}`, () => deriveSecret(secretKey, env().ENVIRONMENT, purpose));
}

/** Returns the key with which this process makes cookies, cursors, tickets, or phone-number hashes. */
export function tokenKeyFor(purpose: TokenPurpose): Buffer {
  return derived(purpose, writingSecret());
}

/** Returns the keys to try when a cookie, cursor, ticket, or phone-number hash is checked. */
export function acceptedTokenKeys(purpose: TokenPurpose): Buffer[] {
  return knownSecrets().map((secretKey) => derived(purpose, secretKey));
}

/** Returns the key for the stored hashes of a purpose. A rotation of SECRET_KEY does not change this key. */
export function hashKeyFor(purpose: HashPurpose): Buffer {
  const { writing, hashKeys } = secretState();
  if (hashKeys) return singleton(`hash-key:${hashKeys[purpose]}`, () => Buffer.from(hashKeys[purpose], 'base64'));
  return derived(purpose, writing ?? env().SECRET_KEY);
}
