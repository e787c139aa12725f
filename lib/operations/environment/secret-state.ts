import { setTimeout as delay } from 'node:timers/promises';
import { withEachProof } from '@/lib/platform/cache/listener';
import { open } from '@/lib/platform/crypto';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import {
  deriveHashKeys,
  expectSecretState,
  type HashKeys,
  hasSecretState,
  knownSecrets,
  secretState,
  setSecretState,
} from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { HASH_KEYS, secretsFingerprint } from './claim';

type Row = { secrets_fingerprint: string; hash_keys: Buffer | null };
type Client = { query: (sql: string) => Promise<{ rows: Row[] }> };

/** Milliseconds between two attempts to read the state before a server listens. */
const RETRY_DELAY = 100;

/** What was read last, so that twice-a-second reads derive keys only after a change. */
type Last = { fingerprint: string | null; reported: string | null };

const last = () => singleton('secrets:last-read', (): Last => ({ fingerprint: null, reported: null }));

/** Reads from the database with which secret this process writes, and the keys of stored hashes. */
export async function readSecretState(client: Client): Promise<void> {
  const { rows } = await client.query('SELECT secrets_fingerprint, hash_keys FROM environment');
  const { ENVIRONMENT: environment, SECRET_KEY } = env();
  // Only databases of tests are without a claim.
  const fingerprint = rows[0]?.secrets_fingerprint ?? secretsFingerprint({ environment, secretKey: SECRET_KEY });
  if (fingerprint === last().fingerprint && hasSecretState()) return setSecretState(secretState());
  const claims = knownSecrets().map((secretKey) => ({ environment, secretKey }));
  const writing = claims.find((claim) => secretsFingerprint(claim) === fingerprint)?.secretKey;
  if (writing === undefined) return stopWriting('SECRET_KEY was rotated. Restart this server with the new SECRET_KEY.');
  try {
    const sealed = rows[0]?.hash_keys;
    const hashKeys = sealed ? openHashKeys(sealed) : deriveHashKeys(writing, environment);
    setSecretState({ writing, hashKeys, keyIds: !rows[0] || Boolean(sealed) });
    last().fingerprint = fingerprint;
  } catch (error) {
    stopWriting(error instanceof Error ? error.message : 'The keys of stored hashes cannot be decrypted.');
  }
}

function openHashKeys(sealed: Buffer): HashKeys {
  return JSON.parse(open(sealed, HASH_KEYS)) as HashKeys;
}

/** Stops this process from writing encrypted values. The keys of stored hashes never change, so known ones are kept. */
function stopWriting(why: string): void {
  if (last().reported !== why) log().error(why);
  last().reported = why;
  last().fingerprint = null;
  if (hasSecretState()) setSecretState({ ...secretState(), writing: null });
}

/** Reads the state of the secrets twice a second on the listening connection, also while a rotation begins. */
export function watchSecrets(): void {
  expectSecretState();
  withEachProof(readSecretState);
}

/**
 * Waits until the state of the secrets was read, on the listening connection or on one of the pool, or `timeout`
 * milliseconds have passed.
 */
export async function untilSecretsKnown(timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!hasSecretState() && performance.now() < deadline) {
    await readSecretState(pool()).catch(() => undefined);
    if (!hasSecretState()) await delay(RETRY_DELAY);
  }
}
