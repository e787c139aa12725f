import { hkdfSync } from 'node:crypto';
import { env } from './env';
import { singleton } from './singleton';

/** Purposes of stored hashes. A rotation does not change their keys, because the hashes could not be computed again. */
export const HASH_PURPOSES = ['api-key', 'idempotency', 'invitation', 'recovery-code', 'setup'] as const;
export type HashPurpose = (typeof HASH_PURPOSES)[number];

/** During a rotation, values made with SECRET_KEY or with SECRET_KEY_PREVIOUS are accepted. */
type TokenPurpose = 'answer' | 'cursor' | 'mail' | 'name' | 'passkey' | 'phone' | 'session' | 'sign-in';

type Purpose = HashPurpose | TokenPurpose | 'backup' | 'encryption' | 'export' | 'fingerprint' | 'key-id' | 'readiness';

/** Derives a 32-byte key for one purpose and environment. A leaked key does not reveal the others. */
export function deriveSecret(secretKey: string, environment: 'TEST' | 'LIVE', purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, environment, `partner-booking/${purpose}`, 32));
}

/** In base64. */
export type HashKeys = Record<HashPurpose, string>;

/** Derives the keys for stored hashes. After a rotation, the database contains those of the first SECRET_KEY. */
export function deriveHashKeys(secretKey: string, environment: 'TEST' | 'LIVE'): HashKeys {
  const entries = HASH_PURPOSES.map((purpose) => [purpose, deriveSecret(secretKey, environment, purpose)] as const);
  return Object.fromEntries(entries.map(([purpose, key]) => [purpose, key.toString('base64')])) as HashKeys;
}

/**
 * What the database records about the deployment's secrets.
 * - `writing`: null if this process lacks a secret that the database needs.
 * - `hashKeys`: null if they are derived from `writing`.
 * - `keyIds`: whether new encrypted values start with a key id. Servers of earlier releases cannot decrypt those, so in
 * their databases it is false until the first rotation.
 */
export type SecretState = { writing: string | null; hashKeys: HashKeys | null; keyIds: boolean };

/** `readAt` has the unit and origin of `performance.now()`. */
type KnownState = SecretState & { readAt: number };

/**
 * Milliseconds. A server with two secrets and an older state writes with neither. `npm run rotate-secret` therefore
 * knows when all servers have stopped writing with the previous secret.
 */
export const STATE_LIFE = 5_000;

/** For a process that was started before a rotation that is now complete. */
export const ROTATED = 'SECRET_KEY was rotated. Restart this server with the new SECRET_KEY.';

type Holder = { state: KnownState | null; expected: boolean; problem: string | null };

function holder(): Holder {
  return singleton('secrets:state', () => ({ state: null, expected: false, problem: null }));
}

/** Stores a state that was just read. Call this only if this process has every secret that the database needs. */
export function setSecretState(state: SecretState): void {
  Object.assign(holder(), { state: { ...state, readAt: performance.now() }, problem: null });
}

/** Records that this process lacks a secret, so it encrypts nothing. `problem` tells the operator what to do. */
export function setSecretProblem(problem: string): void {
  const { state } = holder();
  Object.assign(holder(), { state: state && { ...state, writing: null }, problem });
}

/** Returns which secret this process lacks and what to do, or null. */
export function secretProblem(): string | null {
  return holder().problem;
}

/** Marks this process as one that reads the secret state regularly. Until the first read, its keys throw. */
export function expectSecretState(): void {
  holder().expected = true;
}

/** Returns the secrets that this process accepts: SECRET_KEY, and during a rotation also SECRET_KEY_PREVIOUS. */
export function knownSecrets(): string[] {
  const { SECRET_KEY, SECRET_KEY_PREVIOUS } = env();
  return SECRET_KEY_PREVIOUS ? [SECRET_KEY, SECRET_KEY_PREVIOUS] : [SECRET_KEY];
}

/** Returns whether this process has read the secret state from the database. */
export function hasSecretState(): boolean {
  return holder().state !== null;
}

/** Returns the milliseconds since the secret state was last read, or `Infinity`. */
export function secretStateAge(): number {
  const { state } = holder();
  return state ? performance.now() - state.readAt : Number.POSITIVE_INFINITY;
}

/**
 * Returns the secret state. A process that does not read it gets that of a deployment that was never rotated.
 * @throws Error if this process must read the state (see `expectSecretState`), but no read has succeeded yet.
 */
export function secretState(): SecretState {
  const { state, expected } = holder();
  if (state) return state;
  if (expected) throw new Error('This server has not yet read from the database which SECRET_KEY is current.');
  return { writing: env().SECRET_KEY, hashKeys: null, keyIds: true };
}

/** Returns the secret that encrypts and signs. @throws Error if this process lacks it, or its state is too old. */
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

/** Returns the key with which this process makes cookies, cursors, tickets, or hashes of contacts. */
export function tokenKeyFor(purpose: TokenPurpose): Buffer {
  return derived(purpose, writingSecret());
}

/** Returns the keys to try when a cookie, cursor, ticket, or hash of a contact is checked. */
export function acceptedTokenKeys(purpose: TokenPurpose): Buffer[] {
  return knownSecrets().map((secretKey) => derived(purpose, secretKey));
}

/** Returns the key for the stored hashes of a purpose. A rotation of SECRET_KEY does not change this key. */
export function hashKeyFor(purpose: HashPurpose): Buffer {
  const { writing, hashKeys } = secretState();
  if (hashKeys) return singleton(`hash-key:${hashKeys[purpose]}`, () => Buffer.from(hashKeys[purpose], 'base64'));
  return derived(purpose, writing ?? env().SECRET_KEY);
}
