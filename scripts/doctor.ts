// `npm run doctor`: checks a deployment, and prints what is wrong and how to fix it. Changes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { diagnose, type Subject } from '@/lib/operations/doctor/diagnose';
import { describeFindings } from '@/lib/operations/doctor/findings';
import { validSettings } from '@/lib/operations/doctor/machine';
import { describeMoves } from '@/lib/operations/doctor/zones';
import type { EnvironmentClaim } from '@/lib/operations/environment/claim';
import { StartError } from '@/lib/platform/postgres/start-error';
import { externalUrls } from './start/database';
import { findDatabase } from './start/running-database';
import { claimOf, openSecrets } from './start/secrets';
import type { StartSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

/** @throws StartError if an option is unknown */
function readOptions(): Pick<Subject, 'webhook' | 'backups'> & { zones?: boolean | undefined } {
  try {
    const text = { type: 'string' } as const;
    const options = { webhook: text, backups: text, zones: { type: 'boolean' } } as const;
    return parseArgs({ args: process.argv.slice(2), options }).values;
  } catch {
    throw new StartError('The options are: npm run doctor -- --webhook URL --backups DIRECTORY --zones');
  }
}

async function databaseOf(settings: StartSettings, run: Run): Promise<Subject['database']> {
  const { DATABASE_URL: url } = settings;
  const urls = externalUrls(settings);
  if (url && urls) return { url, directUrl: urls.url, migrationUrl: settings.MIGRATION_DATABASE_URL ?? null };
  try {
    const found = await findDatabase(settings, run);
    return { url: found.url, directUrl: found.url, migrationUrl: found.ownerUrl };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Does not generate a secret. */
function claimFor(settings: StartSettings): EnvironmentClaim | null {
  const { SECRET_KEY: secretKey } = settings;
  if (secretKey) return claimOf(settings, { secretKey });
  if (!existsSync(join(settings.DATA_DIR, 'secrets.json'))) return null;
  return claimOf(settings, openSecrets(settings));
}

async function doctor(run: Run): Promise<number> {
  const { zones, ...options } = readOptions();
  const valid = validSettings(process.env);
  const settings = { ...valid, DATA_DIR: valid.DATA_DIR ?? `.data/${valid.ENVIRONMENT}` };
  const database = await databaseOf(settings, run);
  if (zones) {
    if ('problem' in database) throw new StartError(database.problem);
    for (const line of await describeMoves(database.directUrl, new Date())) console.log(line);
    return 0;
  }
  const claim = claimFor(settings);
  const findings = await diagnose({
    source: process.env,
    settings,
    dataDir: settings.DATA_DIR,
    database,
    claim,
    ...options,
  });
  for (const line of describeFindings(findings)) console.log(line);
  return findings.some(({ severity }) => severity === 'wrong') ? 1 : 0;
}

await supervise(doctor, 130);
