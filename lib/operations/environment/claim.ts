import { createHmac } from 'node:crypto';
import { deriveSecret } from '@/lib/platform/env';
import { EnvironmentError, withClient } from './connection';

/** The environment and the secret of a start. Both must match the database. */
export type EnvironmentClaim = { environment: 'TEST' | 'LIVE'; secretKey: string };

// DO UPDATE changes no value. It makes the statement return the existing row, even one that a concurrent process
// inserted after the statement had taken its snapshot.
const CLAIM = `
  INSERT INTO environment (singleton, name, secrets_fingerprint) VALUES (true, $1, $2)
  ON CONFLICT (singleton) DO UPDATE SET singleton = true
  RETURNING name, secrets_fingerprint`;

/**
 * Refuses a database that belongs to a different environment or was claimed with a different secret, before anything is
 * written to it. Accepts an empty database and a database without a claim.
 * @throws EnvironmentError if the database's environment or secret does not match.
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
 * Claims a new database for this environment and secret, or verifies the claim of an existing database. This keeps TEST
 * and LIVE apart and prevents writes with a secret that cannot decrypt the existing data. Several processes may call it
 * at the same time. The database must be migrated.
 * @throws EnvironmentError if the database's environment or secret does not match.
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
        `This database belongs to a ${row.name} environment, but this start is ${claim.environment}.`,
      );
    }
    if (row.secrets_fingerprint !== secretsFingerprint(claim)) {
      throw new EnvironmentError(
        'This database belongs to another secret: start with the SECRET_KEY that it was created with.',
      );
    }
  }
}

/**
 * Returns the fingerprint of the deployment's secret, which the database stores. It is a keyed hash of a fixed word. It
 * shows whether two secrets are equal, but does not reveal them.
 */
export function secretsFingerprint({ environment, secretKey }: EnvironmentClaim): string {
  const key = deriveSecret(secretKey, environment, 'fingerprint');
  return createHmac('sha256', key).update('environment').digest('hex');
}
