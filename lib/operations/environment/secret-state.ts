import { setTimeout as delay } from 'node:timers/promises';
import { withEachPoll } from '@/lib/platform/cache';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import {
  deriveHashKeys,
  expectSecretState,
  type HashKeys,
  hasSecretState,
  knownSecrets,
  open,
  ROTATED,
  secretProblem,
  secretState,
  secretStateAge,
  setSecretProblem,
  setSecretState,
} from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { HASH_KEYS, secretsFingerprint } from './claim';

type Row = { secrets_fingerprint: string; previous_fingerprint: string | null; hash_keys: Buffer | null };
type Client = { query: (sql: string) => Promise<{ rows: Row[] }> };

const RETRY_DELAY_MS = 100;
/** Milliseconds. An older state is read again on a pool connection. */
const STATE_AGE = 2_000;
const AGE_CHECK_MS = 1_000;

const ROTATING =
  'SECRET_KEY is being rotated, and this server lacks one of the two keys. Restart the server with the new key as SECRET_KEY and the old key as SECRET_KEY_PREVIOUS.';

/** Keys are derived again only if the fingerprints have changed. */
const last = () => singleton('secrets:last-read', (): { fingerprints: string | null } => ({ fingerprints: null }));

/** Reads with which secrets this process must encrypt and hash. A process that lacks one reports itself as unhealthy. */
export async function readSecretState(client: Client): Promise<void> {
  const { rows } = await client.query('SELECT secrets_fingerprint, previous_fingerprint, hash_keys FROM environment');
  const { ENVIRONMENT: environment, SECRET_KEY } = env();
  // A server claims its database when it starts. Many tests and benchmarks start no server, so their values are
  // encrypted with SECRET_KEY.
  const current = rows[0]?.secrets_fingerprint ?? secretsFingerprint({ environment, secretKey: SECRET_KEY });
  const previous = rows[0]?.previous_fingerprint ?? null;
  const fingerprints = `${current} ${previous}`;
  if (fingerprints === last().fingerprints && hasSecretState()) return setSecretState(secretState());
  const claims = knownSecrets().map((secretKey) => ({ environment, secretKey }));
  const secretOf = (fingerprint: string) =>
    claims.find((claim) => secretsFingerprint(claim) === fingerprint)?.secretKey;
  const writing = secretOf(current);
  if (previous !== null && !(writing && secretOf(previous))) return stopWriting(ROTATING);
  if (writing === undefined) return stopWriting(ROTATED);
  try {
    const sealed = rows[0]?.hash_keys;
    const hashKeys = sealed ? openHashKeys(sealed) : deriveHashKeys(writing, environment);
    setSecretState({ writing, hashKeys, keyIds: !rows[0] || Boolean(sealed) });
    last().fingerprints = fingerprints;
  } catch (error) {
    stopWriting(
      error instanceof Error
        ? error.message
        : 'The keys with which API keys and other values are hashed cannot be decrypted.',
    );
  }
}

function openHashKeys(sealed: Buffer): HashKeys {
  return JSON.parse(open(sealed, HASH_KEYS)) as HashKeys;
}

function stopWriting(problem: string): void {
  if (secretProblem() !== problem) log().error(problem);
  last().fingerprints = null;
  setSecretProblem(problem);
}

/**
 * Reads the state of the secrets twice a second on the connection that polls for changes. While that is broken, reads
 * it on a pool connection: the process may still handle writes, which need the current state.
 */
export function watchSecrets(): void {
  expectSecretState();
  withEachPoll(readSecretState);
  let reading = false;
  const readOnPool = async () => {
    if (reading || secretStateAge() < STATE_AGE) return;
    reading = true;
    await readSecretState(pool()).catch(() => undefined);
    reading = false;
  };
  setInterval(() => void readOnPool(), AGE_CHECK_MS).unref();
}

/** Waits until the state of the secrets is known, or `timeout` milliseconds have passed. */
export async function untilSecretsKnown(timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!hasSecretState() && performance.now() < deadline) {
    await readSecretState(pool()).catch(() => undefined);
    if (!hasSecretState()) await delay(RETRY_DELAY_MS);
  }
}
