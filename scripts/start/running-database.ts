import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findEmbedded } from '@/lib/platform/postgres/embedded';
import { StartError } from '@/lib/platform/postgres/start-error';
import { tryLock } from '../bootstrap/lock.mjs';
import { type DatabaseUrls, externalUrls, openDatabase } from './database';
import { openSecrets, requireSecrets } from './secrets';
import type { StartSettings } from './settings';
import type { Run } from './supervise';

/** Returns the URLs of the database. Without DATABASE_URL, starts the embedded server unless it is running. */
export async function findDatabase(settings: StartSettings, run: Run): Promise<DatabaseUrls> {
  const { DATA_DIR } = settings;
  const urls = externalUrls(settings);
  if (urls) {
    // A generated secret could not decrypt the data.
    requireSecrets(settings, 'that belongs to the database');
    return urls;
  }
  if (!existsSync(join(DATA_DIR, 'postgres.path'))) {
    throw new StartError(
      `There is no database in ${DATA_DIR}. Set DATA_DIR to the directory of the database, or set DATABASE_URL.`,
    );
  }
  const secrets = openSecrets(settings);
  const lock = await tryLock(DATA_DIR, 'data');
  if ('release' in lock) return await openDatabase(settings, secrets, run, (line) => console.log(line));
  return await findEmbedded(DATA_DIR, secrets.postgres);
}
