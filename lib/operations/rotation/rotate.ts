import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { ROTATION_LOCK } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { deriveSecret, keyIdText, SEALED_TABLES, STATE_LIFE, sealingKey } from '@/lib/platform/secrets';
import {
  claimWith,
  compare,
  type EnvironmentClaim,
  findClaim,
  sealHashKeys,
  secretsFingerprint,
} from '../environment/claim';
import { withClient } from '../environment/connection';
import { findServerProcesses } from '../environment/servers';
import { countOthers, type RotationKeys, resealTable } from './reseal';

const BATCH = 100;
const PASSES = 20;
const PAUSE_MS = 500;
/**
 * Milliseconds for which a server can still write with the previous secret. After `STATE_LIFE`, it knows of the
 * rotation, or refuses to write. A running transaction ends within ten seconds.
 */
const SETTLE = STATE_LIFE + 10_000;
const SHOWN = 5;

const NO_PREVIOUS =
  'SECRET_KEY_PREVIOUS is not set, so there is nothing to rotate. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the old key, restart every server with both, and run this command again.';
const NOTHING_TO_ROTATE =
  'Nothing was rotated. The database is already encrypted with SECRET_KEY, and SECRET_KEY_PREVIOUS is not the key that the last rotation replaced. If you swapped the two keys, set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the old key, restart every server with both, and run this command again.';
const REPLACED =
  'Nothing was rotated. SECRET_KEY is the key that the last rotation replaced. If you swapped the two keys by mistake, swap them back. To return to the replaced key, run npm run rotate-secret -- --back.';

type Options = {
  say: (line: string) => void;
  signal: AbortSignal;
  /** Allows a rotation back to the secret that the last rotation replaced. */
  back?: boolean;
  batch?: number;
  settle?: number;
  onBatch?: () => Promise<void>;
};

/**
 * Encrypts every sealed value again with SECRET_KEY, while servers with both secrets are running, and returns their
 * number. It can be stopped at any time and run again.
 * @throws EnvironmentError if the secrets do not belong to the database; StartError if there is nothing to rotate, if a
 * server does not have both secrets, if another rotation is running, or if values of other secrets remain.
 */
export async function rotateSecret(databaseUrl: string, claim: EnvironmentClaim, options: Options): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ taken: boolean }>(ROTATION_LOCK);
    if (!rows[0]?.taken)
      throw new StartError('Another rotation of SECRET_KEY is running. Wait until it ends, or stop it.');
    const keys = keysOf(claim);
    if (!(await beginRotation(client, claim, keys, options.back === true))) return 0;
    const { settle = SETTLE } = options;
    const total = await resealAll(client, keys, options, performance.now() + settle);
    await client.query(
      'UPDATE environment SET previous_fingerprint = NULL, replaced_fingerprint = previous_fingerprint',
    );
    return total;
  });
}

function keysOf({ environment, secretKey, previousKey }: EnvironmentClaim): RotationKeys {
  const target = sealingKey(secretKey, environment);
  const all = previousKey ? [target, sealingKey(previousKey, environment)] : [target];
  const keyOf = (purpose: 'phone' | 'name') => deriveSecret(secretKey, environment, purpose);
  return { target, all, phone: keyOf('phone'), name: keyOf('name') };
}

/**
 * Records that SECRET_KEY is current, which running servers notice within a second, and the HMAC keys of the stored
 * hashes. Returns whether values of another secret can remain, for example after a killed rotation.
 * @throws EnvironmentError if the secrets do not belong to the database; StartError if there is nothing to rotate, or
 * if a server does not have both secrets.
 */
async function beginRotation(
  client: pg.Client,
  claim: EnvironmentClaim,
  keys: RotationKeys,
  back: boolean,
): Promise<boolean> {
  await client.query('BEGIN');
  const row = await findClaim(client, 'FOR UPDATE');
  if (!row) throw new StartError('This database is empty: there is nothing to encrypt. Start the server first.');
  compare(row, claim);
  if (!claim.previousKey) throw new StartError(NO_PREVIOUS);
  const fingerprint = secretsFingerprint(claim);
  const old = row.secrets_fingerprint === fingerprint ? null : claimWith(row.secrets_fingerprint, claim);
  const open = row.previous_fingerprint !== null;
  if (!open && old && row.replaced_fingerprint === fingerprint && !back) throw new StartError(REPLACED);
  if (!open && !old) {
    if (!row.replaced_fingerprint || !claimWith(row.replaced_fingerprint, claim))
      throw new StartError(NOTHING_TO_ROTATE);
    if ((await remaining(client, keys)) === 0) return false;
  }
  await requireKeysOfServers(client, keys);
  // The last rotation is complete, but a server wrote with the replaced secret before it noticed. The rotation
  // continues.
  if (!open && !old) await client.query('UPDATE environment SET previous_fingerprint = replaced_fingerprint');
  if (old) {
    await client.query(
      `UPDATE environment SET previous_fingerprint = secrets_fingerprint, secrets_fingerprint = $1,
         hash_keys = coalesce(hash_keys, $2)`,
      [fingerprint, sealHashKeys(old, claim)],
    );
  }
  await client.query('COMMIT');
  return true;
}

/** `settled` is the time from which all servers encrypt with the new secret, as a value of `performance.now()`. */
async function resealAll(client: pg.Client, keys: RotationKeys, options: Options, settled: number): Promise<number> {
  let total = 0;
  for (let pass = 1; pass <= PASSES; pass += 1) {
    const unreadable: string[] = [];
    const complete = performance.now() >= settled;
    for (const table of SEALED_TABLES) {
      options.signal.throwIfAborted();
      const before = total;
      const progress = async (resealed: number) => {
        total = before + resealed;
        options.signal.throwIfAborted();
        await options.onBatch?.();
      };
      const result = await resealTable(client, table, keys, options.batch ?? BATCH, progress);
      if (result.resealed > 0) options.say(`${table.table}: ${result.resealed} values encrypted again`);
      unreadable.push(...result.unreadable);
    }
    // Checked in each pass, because a server that lacks a key may still have been starting during an earlier check.
    await requireKeysOfServers(client, keys);
    if (unreadable.length > 0) throw new StartError(unreadableText(unreadable));
    if (complete && (await remaining(client, keys)) === 0) return total;
    await delay(Math.max(PAUSE_MS, settled - performance.now()), undefined, { signal: options.signal });
  }
  throw new StartError(
    `${await remaining(client, keys)} values are still encrypted with the previous key or are locked. Run this command again.`,
  );
}

async function remaining(client: pg.Client, { target }: RotationKeys): Promise<number> {
  let count = 0;
  for (const table of SEALED_TABLES) count += await countOthers(client, table, target);
  return count;
}

function unreadableText(places: string[]): string {
  const shown = places.slice(0, SHOWN).join(', ');
  return `Neither SECRET_KEY nor SECRET_KEY_PREVIOUS can decrypt these values (${places.length}): ${shown}${places.length > SHOWN ? ', …' : ''}. Keep both keys. Restore these values from a backup or delete their rows, and run this command again.`;
}

/**
 * Checks that every connected server process has all keys of a rotation, to decrypt what others write.
 * @throws StartError that lists the addresses of the processes that lack a key.
 */
async function requireKeysOfServers(client: pg.Client, { all }: RotationKeys): Promise<void> {
  const rows = await findServerProcesses(client);
  const ids = all.map(keyIdText);
  const without = rows.filter(({ name }) => !ids.every((id) => name.split(' ').includes(id)));
  if (without.length === 0) return;
  const addresses = [...new Set(without.map(({ address }) => address))].sort().join(', ');
  throw new StartError(
    `At least one server process does not have both keys of this command (processes: ${without.length}, connected from ${addresses}). Restart every server with the same SECRET_KEY and SECRET_KEY_PREVIOUS as this command, and run this command again.`,
  );
}
