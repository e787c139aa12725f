import { createHmac } from 'node:crypto';
import { deriveSecret } from '@/lib/platform/env';
import { EnvironmentError, withClient } from './connection';

/** The environment and the secret of a start, which the database must match. */
export type EnvironmentClaim = { environment: 'TEST' | 'LIVE'; secretKey: string };

// The update changes nothing. It makes the statement return the existing row, even if a concurrent process has just
// inserted it and the statement's snapshot does not contain it.
const CLAIM = `
  INSERT INTO environment (singleton, name, secrets_fingerprint) VALUES (true, $1, $2)
  ON CONFLICT (singleton) DO UPDATE SET singleton = true
  RETURNING name, secrets_fingerprint`;

/**
 * Refuses a database that belongs to another environment or secret, before anything is written to it. Accepts an
 * unclaimed or empty database.
 * @throws EnvironmentError if the database belongs to another environment or secret.
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
 * Claims a new database for this environment and its secret, or verifies the claim of an existing one. This keeps TEST
 * and LIVE apart, and prevents writes with a secret that cannot decrypt existing data. Processes may call it
 * concurrently. The database must be migrated.
 * @throws EnvironmentError if the database belongs to another environment or secret.
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
 * Returns the stored fingerprint of the deployment's secret: a keyed hash of a fixed word. It distinguishes secrets
 * without revealing them.
 */
export function secretsFingerprint({ environment, secretKey }: EnvironmentClaim): string {
  const key = deriveSecret(secretKey, environment, 'fingerprint');
  return createHmac('sha256', key).update('environment').digest('hex');
}
