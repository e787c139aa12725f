import { hkdfSync } from 'node:crypto';
import { env } from './env';
import { singleton } from './singleton';

/** The purposes of the keys of stored hashes. These hashes cannot be recomputed, so a rotation keeps their keys. */
export const HASH_PURPOSES = ['api-key', 'idempotency', 'invitation', 'recovery-code', 'setup'] as const;
export type HashPurpose = (typeof HASH_PURPOSES)[number];

/**
 * The purposes of the keys that make cookies, cursors, tickets, and phone-number hashes. A rotation recomputes the
 * phone-number hashes. Until it ends, values made with either secret are accepted.
 */
type TokenPurpose = 'cursor' | 'passkey' | 'phone' | 'session' | 'sign-in';

/** The purposes of derived keys. */
type Purpose = HashPurpose | TokenPurpose | 'backup' | 'encryption' | 'fingerprint' | 'key-id';

/**
 * Derives a 32-byte key for one purpose from a deployment's master secret. If one derived key leaks, the keys for other
 * purposes remain secret. The derivation includes the environment, so the keys of TEST and LIVE differ even if both
 * environments have the same master secret.
 */
export function deriveSecret(secretKey: string, environment: 'TEST' | 'LIVE', purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, environment, `partner-booking/${purpose}`, 32));
}

/** The keys of stored hashes, in base64. */
export type HashKeys = Record<HashPurpose, string>;

/** Returns the keys of stored hashes of a deployment whose SECRET_KEY was never rotated. */
export function deriveHashKeys(secretKey: string, environment: 'TEST' | 'LIVE'): HashKeys {
  const entries = HASH_PURPOSES.map((purpose) => [purpose, deriveSecret(secretKey, environment, purpose)] as const);
  return Object.fromEntries(entries.map(([purpose, key]) => [purpose, key.toString('base64')])) as HashKeys;
}

/**
 * What the database states about the secrets of the deployment.
 * - `writing`: the secret with which values are written. Null if this process has another secret.
 * - `hashKeys`: the keys of stored hashes. Null if they are derived from `writing`.
 * - `keyIds`: whether encrypted values get the id of their key. False in a database of an earlier version until its
 *   first rotation, because servers of that version, which run during an upgrade, cannot decrypt such values.
 */
export type SecretState = { writing: string | null; hashKeys: HashKeys | null; keyIds: boolean };

/** A state that was read at `readAt`, in milliseconds of `performance.now`. */
type KnownState = SecretState & { readAt: number };

/**
 * Milliseconds after which a server that has two secrets must have read the state again. The command that rotates the
 * secret relies on it: after this time, no server writes with the previous secret.
 */
export const STATE_LIFE = 5_000;

/** The error message for a process that was started before a rotation that is now complete. */
export const ROTATED = 'SECRET_KEY was rotated. Restart this server with the new SECRET_KEY.';

type Holder = { state: KnownState | null; expected: boolean; problem: string | null };

function holder(): Holder {
  return singleton('secrets:state', () => ({ state: null, expected: false, problem: null }));
}

/** Sets the state of the secrets of this process, which has every secret that the database needs. */
export function setSecretState(state: SecretState): void {
  Object.assign(holder(), { state: { ...state, readAt: performance.now() }, problem: null });
}

/**
 * States that this process lacks a secret that the database needs. It then writes no encrypted values. The keys of
 * stored hashes never change, so known ones are kept.
 * @param problem what is missing and what to do, for the administrator.
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
 * States that this process reads the state of the secrets regularly. Until the first read, `secretFor`, `hashKeyFor`,
 * and `writingSecret` throw an error.
 */
export function expectSecretState(): void {
  holder().expected = true;
}

/** Returns the secrets that this process accepts: SECRET_KEY, and during a rotation also SECRET_KEY_PREVIOUS. */
export function knownSecrets(): string[] {
  const { SECRET_KEY, SECRET_KEY_PREVIOUS } = env();
  return SECRET_KEY_PREVIOUS ? [SECRET_KEY, SECRET_KEY_PREVIOUS] : [SECRET_KEY];
}

/** Returns whether the state was read from the database. */
export function hasSecretState(): boolean {
  return holder().state !== null;
}

/** Returns the milliseconds since the state was read, or `Infinity` if it was not read. */
export function secretStateAge(): number {
  const { state } = holder();
  return state ? performance.now() - state.readAt : Number.POSITIVE_INFINITY;
}

/**
 * Returns the state of the secrets. If nothing reads it, SECRET_KEY was never rotated.
 * @throws Error if this process reads the state, but could not read it yet.
 */
export function secretState(): SecretState {
  const { state, expected } = holder();
  if (state) return state;
  if (expected) throw new Error('The state of the secrets could not be read from the database yet.');
  return { writing: env().SECRET_KEY, hashKeys: null, keyIds: true };
}

/**
 * Returns the secret with which this process writes.
 * @throws Error if the secret was rotated and this process does not have the new one, or if the state is too old to know
 *   which of two secrets is used.
 */
export function writingSecret(): string {
  const { writing } = secretState();
  const { state, expected, problem } = holder();
  if (writing === null) throw new Error(problem ?? ROTATED);
  if (expected && state && env().SECRET_KEY_PREVIOUS && secretStateAge() > STATE_LIFE)
    throw new Error('The state of the secrets is too old, because the listening connection is broken.');
  return writing;
}

function derived(purpose: Purpose, secretKey: string): Buffer {
  return singleton(`secret:${purpose}:${secretKey}`, () => deriveSecret(secretKey, env().ENVIRONMENT, purpose));
}

/** Returns the key that makes cookies, cursors, tickets, or hashes of phone numbers. */
export function secretFor(purpose: TokenPurpose): Buffer {
  return derived(purpose, writingSecret());
}

/** Returns the keys whose cookies, cursors, tickets, or hashes of phone numbers are accepted. */
export function acceptedSecrets(purpose: TokenPurpose): Buffer[] {
  return knownSecrets().map((secretKey) => derived(purpose, secretKey));
}

/** Returns the key of stored hashes, which stays the same when SECRET_KEY is rotated. */
export function hashKeyFor(purpose: HashPurpose): Buffer {
  const { writing, hashKeys } = secretState();
  if (hashKeys) return singleton(`hash-key:${hashKeys[purpose]}`, () => Buffer.from(hashKeys[purpose], 'base64'));
  return derived(purpose, writing ?? env().SECRET_KEY);
}
