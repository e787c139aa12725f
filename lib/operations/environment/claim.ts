import { createHmac } from 'node:crypto';
import { deriveSecret } from '@/lib/platform/env';
import { EnvironmentError, withClient } from './connection';

/** The environment and the secret with which a process starts. Both must match the database. */
export type EnvironmentClaim = { environment: 'TEST' | 'LIVE'; secretKey: string };

// DO UPDATE changes no value. It is needed so that the statement returns an existing row, even a row that a concurrent
// process inserted after PostgreSQL had taken the snapshot that the statement reads.
const CLAIM = `
  INSERT INTO environment (singleton, name, secrets_fingerprint) VALUES (true, $1, $2)
  ON CONFLICT (singleton) DO UPDATE SET singleton = true
  RETURNING name, secrets_fingerprint`;

/**
 * Refuses a database that belongs to another environment or was claimed with another secret. Called before a start
 * writes to the database. Accepts an empty database and a database without a claim.
 * @throws EnvironmentError if the environment or the secret of the database does not match.
 */
export async function refuseOthers(databaseUrl: string, claim: EnvironmentClaim): Promise<void> {
  const rows = await withClient(databaseUrl, async (client) => {
    const found = await client.query<{ found: boolean }>(`SELECT to_regclass('environment') IS NOT NULL AS found`);
    if (!found.rows[0]?.found) return [];
    return (await client.query<Row>('SELECT name, secrets_fingerprint FROM environment')).rows;
  });
  compare(rows, claim);
}

/**
 * Claims a new database for this environment and secret, or verifies the claim of an existing database. TEST and LIVE
 * can therefore not use the same database. A start with a wrong secret is refused, because the process could not
 * decrypt the existing data. Several processes can call this function at the same time. The database must be migrated.
 * @throws EnvironmentError if the environment or the secret of the database does not match.
 */
export async function claimEnvironment(databaseUrl: string, claim: EnvironmentClaim): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<Row>(CLAIM, [claim.environment, secretsFingerprint(claim)]),
  );
  compare(rows, claim);
}

type Row = { name: string; secrets_fingerprint: string };

function compare(rows: Row[], claim: EnvironmentClaim): void {
  for (const row of rows) {
    if (row.name !== claim.environment) {
      throw new EnvironmentError(
        `This database belongs to a ${row.name} environment, but ENVIRONMENT is ${claim.environment}.`,
      );
    }
    if (row.secrets_fingerprint !== secretsFingerprint(claim)) {
      throw new EnvironmentError('This database was created with a different SECRET_KEY. Start with that SECRET_KEY.');
    }
  }
}

/**
 * Returns the fingerprint of the deployment's secret, which is stored in the database. It is a keyed hash of a fixed
 * word. Equal secrets have equal fingerprints, but a fingerprint does not reveal its secret.
 */
export function secretsFingerprint({ environment, secretKey }: EnvironmentClaim): string {
  const key = deriveSecret(secretKey, environment, 'fingerprint');
  return createHmac('sha256', key).update('environment').digest('hex');
}
