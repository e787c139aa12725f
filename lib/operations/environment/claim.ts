import { createHmac } from 'node:crypto';
import { deriveSecret } from '@/lib/platform/env';
import { EnvironmentError, withClient } from './connection';

/** What a start says it is. */
export type EnvironmentClaim = { environment: 'TEST' | 'LIVE'; secretKey: string };

// The update changes nothing: it makes the statement return the row that is there, also one that another process
// wrote a moment ago and that a plain SELECT would not see yet.
const CLAIM = `
  INSERT INTO environment (singleton, name, secrets_fingerprint) VALUES (true, $1, $2)
  ON CONFLICT (singleton) DO UPDATE SET singleton = true
  RETURNING name, secrets_fingerprint`;

/**
 * Refuses a database that belongs to somebody else, before anything is written to it; one that belongs to nobody yet,
 * or has no tables, is let through.
 * @throws EnvironmentError when the database belongs to another environment or other secrets.
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
 * Makes a new database belong to this environment and its secrets, and any other one prove that it does. TEST and
 * LIVE can so never be mixed up, and nothing is written under secrets that cannot read what is there. Any number of
 * processes may do this at once. The database must be migrated.
 * @throws EnvironmentError when the database belongs to another environment or other secrets.
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
        `This database belongs to a ${row.name} environment, this start is ${claim.environment}.`,
      );
    }
    if (row.secrets_fingerprint !== secretsFingerprint(claim)) {
      throw new EnvironmentError('This database belongs to other secrets: start with the SECRET_KEY it was made with.');
    }
  }
}

/**
 * Returns what is stored of the deployment's secret: a keyed hash of nothing but a fixed word. It tells
 * secrets apart and opens nothing.
 */
export function secretsFingerprint({ environment, secretKey }: EnvironmentClaim): string {
  const key = deriveSecret(secretKey, environment, 'fingerprint');
  return createHmac('sha256', key).update('environment').digest('hex');
}
