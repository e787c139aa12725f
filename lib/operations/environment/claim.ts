import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { deriveHashKeys, deriveSecret, placeIn, sealingKey, sealWith } from '@/lib/platform/secrets';
import { EnvironmentError, withClient } from './connection';

/** The place of the encrypted keys for stored hashes. */
export const HASH_KEYS = placeIn('environment.hash_keys', true);

/** What must match the database. */
export type EnvironmentClaim = {
  environment: 'TEST' | 'LIVE';
  secretKey: string;
  /** SECRET_KEY_PREVIOUS. */
  previousKey?: string | undefined;
  /** CELL. */
  cell?: string | undefined;
};

// Unlike DO NOTHING, DO UPDATE makes RETURNING return an existing row, even one that another process has just inserted.
const CLAIM = `
  INSERT INTO environment (singleton, name, secrets_fingerprint, hash_keys) VALUES (true, $1, $2, $3)
  ON CONFLICT (singleton) DO UPDATE SET singleton = true
  RETURNING name, secrets_fingerprint, previous_fingerprint, replaced_fingerprint, cell`;

const RECORD_CELL = 'UPDATE environment SET cell = coalesce(cell, $1) RETURNING cell';

const FIND = 'SELECT name, secrets_fingerprint, previous_fingerprint, replaced_fingerprint, cell FROM environment';

/**
 * Refuses a database of another environment or cell, or one that needs another secret. Accepts an empty one. A starting
 * process must call this before it writes.
 * @throws EnvironmentError for the same reasons as `compare`.
 */
export async function refuseOthers(databaseUrl: string, claim: EnvironmentClaim): Promise<void> {
  const row = await withClient(databaseUrl, (client) => findClaim(client));
  if (row) compare(row, claim);
}

/**
 * `previous_fingerprint` is set during a rotation. `replaced_fingerprint` is that of the secret that the last rotation
 * replaced. `cell` is null until a process with CELL uses the database.
 */
type ClaimRow = {
  name: string;
  secrets_fingerprint: string;
  previous_fingerprint: string | null;
  replaced_fingerprint: string | null;
  cell: string | null;
};

/** Returns the database's claim, or null if there is none yet. */
export async function findClaim(client: pg.Client, lock: '' | 'FOR UPDATE' = ''): Promise<ClaimRow | null> {
  const found = await client.query<{ found: boolean }>(`SELECT to_regclass('environment') IS NOT NULL AS found`);
  if (!found.rows[0]?.found) return null;
  return (await client.query<ClaimRow>(`${FIND} ${lock}`)).rows[0] ?? null;
}

/**
 * Claims a new database, or compares its claim and records the cell. Several processes can do so at the same time. The
 * database must be migrated.
 * @throws EnvironmentError for the same reasons as `compare`.
 */
export async function claimEnvironment(databaseUrl: string, claim: EnvironmentClaim): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const values = [claim.environment, secretsFingerprint(claim), sealHashKeys(claim, claim)];
    const { rows } = await client.query<ClaimRow>(CLAIM, values);
    for (const row of rows) {
      compare(row, claim);
      if (row.cell !== null || claim.cell === undefined) continue;
      // Since `CLAIM` ran, another process may have recorded its own cell.
      const recorded = await client.query<Pick<ClaimRow, 'cell'>>(RECORD_CELL, [claim.cell]);
      for (const { cell } of recorded.rows) compareCells(cell, claim);
    }
  });
}

/**
 * Compares the claims of the database and of this process.
 * @throws EnvironmentError if the environment, the cell, or the secret does not match, or if a rotation is not complete
 * and this process has only one of the two secrets.
 */
export function compare(row: ClaimRow, claim: EnvironmentClaim): void {
  if (row.name !== claim.environment) {
    throw new EnvironmentError(
      `This database belongs to a ${row.name} environment, but ENVIRONMENT is ${claim.environment}.`,
    );
  }
  compareCells(row.cell, claim);
  const [current, previous, replaced] = [
    row.secrets_fingerprint,
    row.previous_fingerprint,
    row.replaced_fingerprint,
  ].map((fingerprint) => fingerprint !== null && claimWith(fingerprint, claim) !== null);
  if (current && (previous || row.previous_fingerprint === null)) return;
  throw new EnvironmentError(
    row.previous_fingerprint === null
      ? problem(Boolean(replaced), claim)
      : problemInRotation(Boolean(current), Boolean(previous), claim),
  );
}

function compareCells(recorded: string | null, { cell }: EnvironmentClaim): void {
  if (recorded === null || cell === undefined || cell === recorded) return;
  throw new EnvironmentError(
    `This database belongs to the cell ${recorded}, but CELL is ${cell}. Set CELL to the id of the cell of this database, or DATABASE_URL to the database of this cell.`,
  );
}

function problem(replaced: boolean, { previousKey }: EnvironmentClaim): string {
  if (replaced) return 'SECRET_KEY was rotated. Set SECRET_KEY to the new key.';
  if (previousKey)
    return 'Neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key of this database. To keep using the key of the database, set SECRET_KEY to it. To replace that key, set SECRET_KEY_PREVIOUS to it and SECRET_KEY to the new key.';
  return 'This database was created with a different SECRET_KEY. Set SECRET_KEY to that key.';
}

function problemInRotation(current: boolean, previous: boolean, { previousKey }: EnvironmentClaim): string {
  if (previousKey && (current || previous))
    return 'An earlier rotation of SECRET_KEY is not complete, and one of its two keys is not set. Complete that rotation first: set SECRET_KEY_PREVIOUS to its old key and SECRET_KEY to its new key, and run npm run rotate-secret. Then start the next rotation.';
  if (current)
    return 'The rotation of SECRET_KEY is not complete. Set SECRET_KEY_PREVIOUS to the previous key, and run npm run rotate-secret.';
  return 'The rotation of SECRET_KEY is not complete. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the previous key.';
}

/** Returns a claim with only the secret that has this fingerprint, or null. */
export function claimWith(fingerprint: string, { environment, secretKey, previousKey }: EnvironmentClaim) {
  const claims = [secretKey, previousKey].flatMap((key) => (key ? [{ environment, secretKey: key }] : []));
  return claims.find((claim) => secretsFingerprint(claim) === fingerprint) ?? null;
}

/** Derives the keys for stored hashes from the secret of `owner`, and encrypts them with the secret of `sealer`. */
export function sealHashKeys(owner: EnvironmentClaim, sealer: EnvironmentClaim): Buffer {
  const keys = JSON.stringify(deriveHashKeys(owner.secretKey, owner.environment));
  return sealWith(sealingKey(sealer.secretKey, sealer.environment), keys, HASH_KEYS);
}

/** Returns a keyed hash of a fixed word, which the database stores, because it does not reveal the secret. */
export function secretsFingerprint({ environment, secretKey }: EnvironmentClaim): string {
  const key = deriveSecret(secretKey, environment, 'fingerprint');
  return createHmac('sha256', key).update('environment').digest('hex');
}
