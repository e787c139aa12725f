import { generateKey, hashKey, startOfKey } from '@/lib/access/applications/key-format';
import { recordChange } from '@/lib/activity/audit/record';
import type { Db } from '@/lib/platform/db';
import { env, SettingsError } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { SANDBOX_CREDENTIALS_LOCK, takeLock } from '@/lib/platform/locks';
import { TENANT } from './business';

type SignIn = { email: string; password: string };

type ApplicationCredentials = {
  name: string;
  id: string;
  scopes: string[];
  api_key: string;
  all_locations: boolean;
  locations: string[];
  origins: string[];
  networks: string[];
};

/** Without `base_url`. They cannot be shown again, because the database stores only hashes. */
export type SandboxCredentials = { owner: SignIn; support: SignIn; applications: ApplicationCredentials[] };

/** Called before the commit. A process that is killed just after it would lose what the database only has hashed. */
export type KeepCredentials = (credentials: SandboxCredentials) => void;

/** Of the keys that are created for the sandbox. */
export const KEY_NAME = 'Sandbox key';

/**
 * Serializes changes to the sandbox's credentials. Must be the first statement of the transaction: an earlier one would
 * not see the changes of the transaction that holds the lock.
 */
export async function lockSandbox(tx: Pick<Db, '$executeRawUnsafe'>): Promise<void> {
  await takeLock(tx, SANDBOX_CREDENTIALS_LOCK);
}

/** Ensures that a LIVE deployment gets no synthetic data. @throws SettingsError if the environment is LIVE. */
export function assertTest(): void {
  if (env().ENVIRONMENT !== 'TEST') throw new SettingsError('The sandbox exists in the TEST environment only.');
}

/** Returns whether the keys of these credentials were committed. One key shows it for all. */
export async function hasCredentials(db: Db, applications: readonly { api_key: string }[]): Promise<boolean> {
  const keyHash = new Uint8Array(hashKey(applications[0]?.api_key ?? ''));
  return (await db.apiKey.count({ where: { keyHash } })) > 0;
}

type Seeded = {
  id: string;
  name: string;
  scopes: string[];
  allLocations: boolean;
  locationIds: string[];
  origins: string[];
  networks: string[];
};

/** Creates a sandbox key for each application in the caller's transaction. */
export async function insertSandboxKeys(
  tx: Db,
  now: Date,
  applications: readonly Seeded[],
): Promise<ApplicationCredentials[]> {
  const credentials: ApplicationCredentials[] = [];
  // One after another, because a transaction has one connection.
  for (const {
    id,
    name,
    scopes,
    allLocations: all_locations,
    locationIds: locations,
    origins,
    networks,
  } of applications) {
    const api_key = await insertSandboxKey(tx, now, id);
    credentials.push({ name, id, scopes, api_key, all_locations, locations, origins, networks });
  }
  return credentials;
}

async function insertSandboxKey(tx: Db, now: Date, applicationId: string): Promise<string> {
  const key = generateKey();
  const id = newId('key');
  const lastFour = key.slice(-4);
  await tx.apiKey.create({
    data: {
      id,
      applicationId,
      name: KEY_NAME,
      keyHash: new Uint8Array(hashKey(key)),
      prefix: env().keyPrefix,
      start: startOfKey(key),
      lastFour,
      createdAt: now,
    },
  });
  await recordChange(tx, now, {
    tenantId: TENANT.id,
    actor: { kind: 'system' },
    action: 'key.issued',
    object: { kind: 'key', id },
    after: { name: KEY_NAME, application_id: applicationId, last_four: lastFour, expires_at: null },
  });
  return key;
}
