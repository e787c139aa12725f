// `npm run migrate`: applies pending migrations and grants the servers' role its privileges, without starting a server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentClaim } from '@/lib/operations/environment/claim';
import { openDataDir } from './start/data-dir';
import { type DatabaseUrls, externalUrls, openDatabase } from './start/database';
import { migrateDatabase } from './start/migrate-database';
import { findDatabase } from './start/running-database';
import { claimOf, openSecrets } from './start/secrets';
import { readSettings, type StartSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

const say = (line: string) => console.log(line);

/** `claim` states to which environment, secrets, and cell the database must belong. */
async function target(settings: StartSettings, run: Run): Promise<{ urls: DatabaseUrls; claim: EnvironmentClaim }> {
  const { SECRET_KEY: secretKey } = settings;
  const urls = externalUrls(settings);
  // A running server may have locked the data directory.
  if (urls && secretKey) return { urls, claim: claimOf(settings, { secretKey }) };
  // An embedded server that is running is migrated, too.
  if (existsSync(join(settings.DATA_DIR, 'postgres.path'))) {
    const found = await findDatabase(settings, run);
    return { urls: found, claim: claimOf(settings, openSecrets(settings)) };
  }
  await openDataDir(settings.DATA_DIR);
  const secrets = openSecrets(settings);
  return { urls: await openDatabase(settings, secrets, run, say), claim: claimOf(settings, secrets) };
}

async function migrate(run: Run): Promise<number> {
  const { urls, claim } = await target(readSettings(), run);
  for (const name of await migrateDatabase(urls, claim)) say(`Applied ${name}.`);
  say('The database is up to date.');
  return 0;
}

await supervise(migrate, 130);
