// `npm run restore -- FILE`: restores a backup into a new database.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeCounts, readFileArgument } from '@/lib/operations/backup/file';
import { openBackup, readHeader } from '@/lib/operations/backup/format';
import { checkHeader, loadBackup } from '@/lib/operations/backup/load';
import { refuseOthers } from '@/lib/operations/environment/claim';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { StartError } from '@/lib/platform/postgres/start-error';
import { openDataDir } from './start/data-dir';
import { openDatabase } from './start/database';
import { openSecrets } from './start/secrets';
import { readSettings, type StartSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

/**
 * Checks that SECRET_KEY is set or `secrets.json` exists. Without this check, `openSecrets` would generate and store a
 * new secret key, which cannot decrypt the data of the backup.
 * @throws StartError if neither SECRET_KEY nor `secrets.json` exists
 */
function requireSecrets({ DATA_DIR, SECRET_KEY }: StartSettings): void {
  const path = join(DATA_DIR, 'secrets.json');
  if (SECRET_KEY || existsSync(path)) return;
  throw new StartError(`Copy the secrets.json that belongs to the backup to ${path} first, or set SECRET_KEY.`);
}

async function restore(run: Run): Promise<number> {
  const path = readFileArgument('restore', process.argv.slice(2));
  const settings = readSettings();
  requireSecrets(settings);
  await openDataDir(settings.DATA_DIR);
  const secrets = openSecrets(settings);
  const claim = { environment: settings.ENVIRONMENT, secretKey: secrets.secretKey };
  const lines = openBackup(path);
  try {
    const header = await readHeader(path, lines);
    checkHeader(header, claim);
    const { url } = await openDatabase(settings, secrets, run, (line) => console.log(line));
    await refuseOthers(url, claim);
    await applyMigrations(url);
    const counts = await loadBackup(settings.DIRECT_DATABASE_URL ?? url, { path, header, lines }, run.signal);
    console.log(`Restored ${describeCounts(counts)}, as of ${header.created_at}.`);
  } finally {
    lines.close();
  }
  return 0;
}

await supervise(restore, 130);
