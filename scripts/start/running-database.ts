import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findEmbedded } from '@/lib/platform/postgres/embedded';
import { StartError } from '@/lib/platform/postgres/start-error';
import { tryLock } from '../bootstrap/lock.mjs';
import { openDatabase } from './database';
import { openSecrets, requireSecrets } from './secrets';
import type { StartSettings } from './settings';
import type { Run } from './supervise';

/**
 * Returns the URL of a database that a server may be using. If DATABASE_URL is not set, starts the embedded server
 * unless it is already running.
 */
export async function findDatabase(settings: StartSettings, run: Run): Promise<string> {
  const { DATABASE_URL, DIRECT_DATABASE_URL, DATA_DIR } = settings;
  // All statements of a backup or a rotation must run in one database session. A connection pooler does not guarantee
  // this, so DIRECT_DATABASE_URL is preferred to DATABASE_URL.
  if (DATABASE_URL) {
    // Without a secret, `openSecrets` would generate one that cannot decrypt the data.
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
