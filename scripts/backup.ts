// `npm run backup -- FILE`: writes the whole database to one file. The server can keep running during the backup.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeBackup } from '@/lib/operations/backup/dump';
import { describeCounts, readFileArgument } from '@/lib/operations/backup/file';
import { refuseOthers } from '@/lib/operations/environment/claim';
import { findEmbedded } from '@/lib/platform/postgres/embedded';
import { StartError } from '@/lib/platform/postgres/start-error';
import { tryLock } from './bootstrap/lock.mjs';
import { openDatabase } from './start/database';
import { openSecrets, requireSecrets } from './start/secrets';
import { readSettings, type StartSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

/**
 * Returns the URL of the database to back up. If DATABASE_URL is not set, starts the embedded server unless it is
 * already running.
 */
async function findDatabase(settings: StartSettings, run: Run): Promise<string> {
  const { DATABASE_URL, DIRECT_DATABASE_URL, DATA_DIR } = settings;
  // All statements of a backup must run in one database session. A connection pooler does not guarantee this, so
  // DIRECT_DATABASE_URL is preferred to DATABASE_URL.
  if (DATABASE_URL) {
    // If there is no secret, `openSecrets` would generate a new one and the backup would be authenticated with it. A
    // server with the secret of the database would then refuse to restore the backup.
    requireSecrets(settings, 'that belongs to the database');
    return DIRECT_DATABASE_URL ?? DATABASE_URL;
  }
  if (!existsSync(join(DATA_DIR, 'postgres.path'))) {
    throw new StartError(`There is no database in ${DATA_DIR}; specify another one with DATA_DIR or DATABASE_URL.`);
  }
  const secrets = openSecrets(settings);
  const lock = await tryLock(DATA_DIR, 'data');
  if ('release' in lock) return (await openDatabase(settings, secrets, run, (line) => console.log(line))).url;
  return await findEmbedded(DATA_DIR, secrets.postgres);
}

async function backup(run: Run): Promise<number> {
  const path = readFileArgument('backup', process.argv.slice(2));
  const settings = readSettings();
  const url = await findDatabase(settings, run);
  const claim = { environment: settings.ENVIRONMENT, secretKey: openSecrets(settings).secretKey };
  await refuseOthers(url, claim);
  const counts = await writeBackup(url, path, claim, run.signal);
  console.log(`${path}: ${describeCounts(counts)}.`);
  console.log(
    settings.SECRET_KEY
      ? 'Restoring it requires the SECRET_KEY: keep a copy of the key in another place.'
      : `Restoring it requires ${join(settings.DATA_DIR, 'secrets.json')}: keep a copy of that file in another place.`,
  );
  return 0;
}

await supervise(backup, 130);
