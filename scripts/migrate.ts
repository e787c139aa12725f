// `npm run migrate`: applies pending migrations without starting a server, for example as a step of a deployment.
import { type EnvironmentClaim, refuseOthers } from '@/lib/operations/environment/claim';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { openDataDir } from './start/data-dir';
import { directUrl, openDatabase } from './start/database';
import { claimOf, openSecrets } from './start/secrets';
import { readSettings, type StartSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

const say = (line: string) => console.log(line);

/** Returns the URL of the database to migrate, and the environment and secrets that the database must match. */
async function target(settings: StartSettings, run: Run): Promise<{ url: string; claim: EnvironmentClaim }> {
  const { ENVIRONMENT: environment, SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previousKey } = settings;
  const url = directUrl(settings);
  // The data directory is opened only if it is needed, because a running server may have locked it.
  if (url && secretKey) return { url, claim: { environment, secretKey, previousKey } };
  await openDataDir(settings.DATA_DIR);
  const secrets = openSecrets(settings);
  return { url: url ?? (await openDatabase(settings, secrets, run, say)).url, claim: claimOf(settings, secrets) };
}

async function migrate(run: Run): Promise<number> {
  const { url, claim } = await target(readSettings(), run);
  await refuseOthers(url, claim);
  for (const name of await applyMigrations(url, process.cwd(), { say })) say(`Applied ${name}.`);
  say('The database is up to date.');
  return 0;
}

await supervise(migrate, 130);
