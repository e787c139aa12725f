// `npm run backup -- FILE`: writes the whole database to one file. The server can keep running during the backup.
import { join, resolve } from 'node:path';
import { recordBackup } from '@/lib/operations/backup/age';
import { copyBackup } from '@/lib/operations/backup/copy';
import { backupName, isDirectory, pruneBackups } from '@/lib/operations/backup/directory';
import { writeBackup } from '@/lib/operations/backup/dump';
import { describeCounts, describeOthers, describeSecrets, readBackupOptions } from '@/lib/operations/backup/file';
import { refuseOthers } from '@/lib/operations/environment/claim';
import { requireOneDatabase } from '@/lib/operations/environment/grants';
import { StartError } from '@/lib/platform/postgres/start-error';
import { findDatabase } from './start/running-database';
import { claimOfCommand } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

async function backup(run: Run): Promise<number> {
  const options = readBackupOptions(process.argv.slice(2));
  const { keep, copy } = options;
  const directory = (await isDirectory(options.path)) ? options.path : null;
  if (keep !== null && directory === null) throw new StartError(`--keep needs an existing directory: ${options.path}.`);
  const settings = readSettings();
  const { url, ownerUrl } = await findDatabase(settings, run);
  await requireOneDatabase(ownerUrl, url);
  const claim = claimOfCommand(settings);
  await refuseOthers(ownerUrl, claim);
  const began = new Date();
  const name = backupName(settings.ENVIRONMENT, began);
  const path = directory === null ? options.path : join(directory, name);
  const { counts, others, rotating } = await writeBackup(ownerUrl, path, claim, run.signal, {
    say: (line) => console.log(line),
  });
  console.log(`${path}: ${describeCounts(counts)}.`);
  if (others.length > 0) console.log(describeOthers(others));
  console.log(describeSecrets(settings.SECRET_KEY ? null : join(settings.DATA_DIR, 'secrets.json'), rotating));
  // A backup counts, and replaces older ones, only after it was copied.
  if (copy !== null) {
    console.log(`Copying it with ${copy} …`);
    await copyBackup(copy, resolve(path), run.signal);
  }
  if (!(await recordBackup(ownerUrl, began)))
    console.log('The database is of an earlier version and does not record backups.');
  if (directory !== null && keep !== null) {
    const removed = await pruneBackups(directory, settings.ENVIRONMENT, keep, name);
    if (removed.length > 0) console.log(`Removed ${removed.join(', ')}.`);
  }
  return 0;
}

await supervise(backup, 130);
