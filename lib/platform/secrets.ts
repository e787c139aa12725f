import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { env } from './env';
import { singleton } from './singleton';

/** Purposes of stored hashes. A rotation does not change their keys, because the hashes could not be computed again. */
const HASH_PURPOSES = ['api-key', 'idempotency', 'invitation', 'recovery-code', 'setup'] as const;
type HashPurpose = (typeof HASH_PURPOSES)[number];

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
type SecretState = { writing: string | null; hashKeys: HashKeys | null; keyIds: boolean };

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

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
/** Bytes. In a database from an earlier version, values have no key id until SECRET_KEY is first rotated. */
export const KEY_ID = 8;

/** The id is not secret. It shows which key encrypted a value. */
export type SealingKey = { id: Buffer; key: Buffer };

/** Derives the key that encrypts values, and its id, from a master secret. */
export function sealingKey(secretKey: string, environment: 'TEST' | 'LIVE'): SealingKey {
  return {
    id: deriveSecret(secretKey, environment, 'key-id').subarray(0, KEY_ID),
    key: deriveSecret(secretKey, environment, 'encryption'),
  };
}

const keyOf = (secretKey: string): SealingKey =>
  singleton(`sealing-key:${secretKey}`, () => sealingKey(secretKey, env().ENVIRONMENT));

export const keyIdText = ({ id }: SealingKey): string => id.toString('hex');

/** Returns the ids, in hexadecimal, of the encryption keys that this process has. */
export function ownKeyIds(): string[] {
  return knownSecrets().map((secretKey) => keyIdText(keyOf(secretKey)));
}

/** Encrypts and authenticates `text` with AES-256-GCM. A value that is copied to another place cannot be decrypted. */
export function seal(text: string, place: Place): Buffer {
  const sealed = sealWith(keyOf(writingSecret()), text, place);
  return secretState().keyIds ? sealed : sealed.subarray(KEY_ID);
}

/** Like `seal`, but with the given key. The result always begins with the key id. */
export function sealWith({ id, key }: SealingKey, text: string, place: Place): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
  return Buffer.concat([id, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts a value that `seal` returned.
 * @throws Error if it was modified, belongs to another `place`, or was sealed with a secret that this process lacks.
 */
export function open(sealed: Uint8Array, place: Place): string {
  return openWith(knownSecrets().map(keyOf), sealed, place);
}

/** Decrypts a value of one of the keys. @throws Error like `open`, which names the column but not the value. */
export function openWith(keys: readonly SealingKey[], sealed: Uint8Array, place: Place): string {
  const bytes = Buffer.from(sealed);
  for (const { id, key } of keys) {
    const text = id.equals(bytes.subarray(0, KEY_ID)) ? decrypt(key, bytes.subarray(KEY_ID), place) : null;
    if (text !== null) return text;
  }
  // The value may have no key id (see `KEY_ID`), so every key is tried.
  for (const { key } of keys) {
    const text = decrypt(key, bytes, place);
    if (text !== null) return text;
  }
  const [column] = place.split(' ', 1);
  throw new Error(
    `A value of ${column} cannot be decrypted. It was modified, or it was encrypted with another secret.`,
  );
}

function decrypt(key: Buffer, bytes: Buffer, place: Place): string | null {
  if (bytes.length < NONCE + TAG) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE), { authTagLength: TAG });
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(bytes.length - TAG));
  const text = decipher.update(bytes.subarray(NONCE, bytes.length - TAG));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** The columns with sealed values, and the primary keys. `npm run rotate-secret` encrypts exactly these again. */
export const SEALED_TABLES = [
  {
    table: 'bookings',
    key: ['reference'],
    columns: ['customer_name', 'customer_phone', 'customer_email', 'note', 'metadata'],
  },
  { table: 'calendars', key: ['id'], columns: ['url'] },
  { table: 'environment', key: ['singleton'], columns: ['hash_keys'] },
  { table: 'idempotency_keys', key: ['application_id', 'key_hash'], columns: ['response'] },
  { table: 'mails', key: ['id'], columns: ['sealed'] },
  { table: 'totp_factors', key: ['user_id'], columns: ['secret'] },
  { table: 'webhook_secrets', key: ['application_id', 'number'], columns: ['sealed'] },
] as const;

type ColumnOf<Table> = Table extends {
  table: infer Name extends string;
  columns: readonly (infer Column extends string)[];
}
  ? `${Name}.${Column}`
  : never;

export type SealedColumn = ColumnOf<(typeof SEALED_TABLES)[number]>;

/** The column and the row of a sealed value, such as `bookings.customer_name pbr_…`. */
export type Place = `${SealedColumn} ${string}`;

/** Returns the place of a sealed value. `key`: the values of the primary key, in the order of `SEALED_TABLES`. */
export function placeIn(column: SealedColumn, ...key: (string | number | boolean | Uint8Array)[]): Place {
  const parts = key.map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString('base64') : String(part)));
  return `${column} ${parts.join(' ')}`;
}
