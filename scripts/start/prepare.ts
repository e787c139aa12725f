import { resolve } from 'node:path';
import type pg from 'pg';
import { createPartitions } from '@/lib/activity/request-log/partitions';
import { claimEnvironment, refuseOthers } from '@/lib/operations/environment/claim';
import { explainLostConnection, withClient } from '@/lib/operations/environment/connection';
import { pendingMigrations } from '@/lib/operations/environment/migrations';
import { checkPooler } from '@/lib/operations/environment/pooler';
import { readSecretState } from '@/lib/operations/environment/secret-state';
import { connectionShortage } from '@/lib/operations/environment/servers';
import { StartError } from '@/lib/platform/postgres/start-error';
import { FILE_SETTINGS, fileNameOf } from '@/lib/platform/setting-files';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { makeDirectory } from './data-dir';
import { type DatabaseUrls, openDatabase } from './database';
import { migrateDatabase } from './migrate-database';
import { findDatabase } from './running-database';
import { prepareSandbox } from './sandbox';
import { claimOf, type Secrets, secretsOfCommand } from './secrets';
import type { StartSettings } from './settings';
import type { Run } from './supervise';

const say = (line: string) => console.log(line);

/**
 * Sets the environment variables of `lib/platform/env.ts` for this process and the server. Files are read once, so that
 * later workers have the same settings, except DATABASE_URL_FILE and DIRECT_DATABASE_URL_FILE, which every new
 * connection reads. MIGRATION_DATABASE_URL is deleted, so that the server cannot act as the owner's role.
 */
function exportSettings(settings: StartSettings, secrets: Pick<Secrets, 'secretKey'>, databaseUrl: string): void {
  const { ENVIRONMENT, DATA_DIR } = settings;
  const values = { ...settings, DATABASE_URL: databaseUrl, SECRET_KEY: secrets.secretKey };
  for (const name of FILE_SETTINGS) {
    const file = fileNameOf(name);
    if (process.env[file] && name !== 'DATABASE_URL' && name !== 'DIRECT_DATABASE_URL') {
      Object.assign(process.env, { [name]: values[name] });
      delete process.env[file];
    }
  }
  Object.assign(process.env, { ENVIRONMENT, DATA_DIR, SECRET_KEY: secrets.secretKey });
  if (!process.env[fileNameOf('DATABASE_URL')]) process.env.DATABASE_URL = databaseUrl;
  delete process.env.MIGRATION_DATABASE_URL;
}

/**
 * Prepares this process for work on a database that servers may be using. Does not migrate it. Returns its URLs.
 * @throws StartError if the database lacks migrations of this version.
 */
export async function joinDatabase(settings: StartSettings, run: Run): Promise<DatabaseUrls> {
  const urls = await findDatabase(settings, run);
  const { url } = urls;
  makeDirectory(resolve(settings.DATA_DIR));
  const secrets = secretsOfCommand(settings);
  const claim = claimOf(settings, secrets);
  await refuseOthers(url, claim);
  if ((await withClient(url, (client) => pendingMigrations(client, process.cwd()))).length > 0)
    throw new StartError('The database does not have all migrations of this version. Run npm run migrate first.');
  await claimEnvironment(url, claim);
  exportSettings(settings, secrets, url);
  await withClient(url, readSecretState);
  return urls;
}

/** Returns the setup link's token for a LIVE deployment, or null with an owner. */
async function prepareTenants(): Promise<string | null> {
  // Imported dynamically so that `exportSettings` sets the environment variables before these modules read them.
  const [{ createSetupLink }, { refreshNameSkeletons }, { closeDb }] = await Promise.all([
    import('@/lib/operations/setup'),
    import('@/lib/operations/tenants/names'),
    import('@/lib/platform/db'),
  ]);
  try {
    await refreshNameSkeletons();
    return await createSetupLink(new Date());
  } finally {
    await closeDb();
  }
}

/** Derives the bookings before the first request. A start that is stopped continues with the next start. */
async function deriveBookings(run: Run): Promise<void> {
  const [{ bringRulesIntoForce, correctZoneNames }, { rulesProblem }, { closeDb }] = await Promise.all([
    import('@/lib/operations/environment/zone-rules'),
    import('@/lib/platform/rules-in-force'),
    import('@/lib/platform/db'),
  ]);
  try {
    const derived = await bringRulesIntoForce(new Date(), run.signal);
    if (derived) for (const line of describeDerived(derived)) say(line);
    const problem = rulesProblem();
    if (problem !== null) return say(`Not ready: ${problem}`);
    const names = await correctZoneNames();
    if (names > 0) say(`Corrected the names of ${names} time zones of locations and businesses.`);
  } finally {
    await closeDb();
  }
}

function describeDerived({ before, moved }: { before: string | null; moved: Record<string, number> }): string[] {
  const zones = Object.entries(moved).sort(([a], [b]) => (a < b ? -1 : 1));
  const bookings = zones.reduce((sum, [, count]) => sum + count, 0);
  const rules = `The time zone rules ${ZONE_RULES} are in force${before === null ? '' : ` (before: ${before})`}.`;
  if (bookings === 0) return before === null ? [] : [rules];
  return [
    `${rules} ${bookings} bookings keep their local time, and got new instants:`,
    ...zones.map(([zone, count]) => `  ${zone}: ${count}`),
  ];
}

/** The token is null in TEST or if an owner exists. */
type Prepared = Awaited<ReturnType<typeof openDatabase>> & { setupToken: string | null };

/**
 * Opens the database, migrates it, records its environment, and in TEST fills the sandbox. `reissue`: new passwords and
 * keys, for example if `credentials.json` is lost.
 */
export async function prepareDatabase(
  settings: StartSettings,
  secrets: Secrets,
  run: Run,
  reissue = false,
): Promise<Prepared> {
  const database = await openDatabase(settings, secrets, run, say);
  exportSettings(settings, secrets, database.pooledUrl);
  const setupToken = await fillDatabase(settings, secrets, database, run, reissue).catch(async (error: unknown) => {
    throw error instanceof StartError ? error : await explainLostConnection(database.url, error);
  });
  return { ...database, setupToken };
}

async function fillDatabase(settings: StartSettings, secrets: Secrets, urls: DatabaseUrls, run: Run, reissue: boolean) {
  const { ENVIRONMENT: environment } = settings;
  const { url: databaseUrl } = urls;
  const claim = claimOf(settings, secrets);
  // Servers never need the password of another role. If theirs may not migrate, `migrateDatabase` only checks.
  await migrateDatabase(settings.DATABASE_URL ? { url: databaseUrl, ownerUrl: databaseUrl } : urls, claim);
  if (settings.DATABASE_URL && settings.DIRECT_DATABASE_URL) {
    const warning = await checkPooler(settings.DATABASE_URL, settings.DIRECT_DATABASE_URL);
    if (warning) say(`Warning: ${warning}`);
  }
  // Today's partition is missing if the server was down for a while.
  await withClient(databaseUrl, (client) => createPartitions(client, new Date()));
  await claimEnvironment(databaseUrl, claim);
  // The sandbox's API keys and the setup link are stored as keyed hashes.
  await withClient(databaseUrl, readSecretState);
  await withClient(databaseUrl, (client) => warnOfConnections(client, settings));
  await deriveBookings(run);
  if (environment === 'TEST') await prepareSandbox(settings, reissue);
  return prepareTenants();
}

async function warnOfConnections(client: pg.Client, settings: StartSettings): Promise<void> {
  const shortage = await connectionShortage(client, settings, 1);
  if (shortage) say(`${shortage} Increase max_connections, or decrease DATABASE_POOL.`);
}
