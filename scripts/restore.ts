// `npm run restore -- FILE`: restores a backup into a new database.
import { describeCounts, readFileArgument } from '@/lib/operations/backup/file';
import { loadBackup, verifyBackup } from '@/lib/operations/backup/load';
import { openDataDir, recordUse } from './start/data-dir';
import { openDatabase } from './start/database';
import { migrateDatabase } from './start/migrate-database';
import { claimOf, openSecrets, requireSecrets } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

const BESIDE =
  'To restore beside it, set DATA_DIR to a new directory. To check a backup, run npm run drill, which needs no directory and stops nothing.';

async function restore(run: Run): Promise<number> {
  const path = readFileArgument('restore', process.argv.slice(2));
  const settings = readSettings();
  requireSecrets(settings, 'that belongs to the backup');
  await openDataDir(settings.DATA_DIR, BESIDE);
  const secrets = openSecrets(settings);
  const claim = claimOf(settings, secrets);
  await verifyBackup(path, claim);
  const say = (line: string) => console.log(line);
  const urls = await openDatabase(settings, secrets, run, say);
  await migrateDatabase(urls, claim);
  const { counts, createdAt } = await loadBackup(urls.ownerUrl, path, claim, run.signal, { say });
  recordUse(process.cwd(), settings.DATA_DIR);
  console.log(`Restored ${describeCounts(counts)}, as of ${createdAt}.`);
  return 0;
}

await supervise(restore, 130);
