// `npm run backup -- FILE`: writes the whole database to one file. The server can keep running during the backup.
import { join } from 'node:path';
import { recordBackup } from '@/lib/operations/backup/age';
import { writeBackup } from '@/lib/operations/backup/dump';
import { describeCounts, describeOthers, describeSecrets, readFileArgument } from '@/lib/operations/backup/file';
import { refuseOthers } from '@/lib/operations/environment/claim';
import { requireOneDatabase } from '@/lib/operations/environment/grants';
import { findDatabase } from './start/running-database';
import { claimOfCommand } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

async function backup(run: Run): Promise<number> {
  const path = readFileArgument('backup', process.argv.slice(2));
  const settings = readSettings();
  const { url, ownerUrl } = await findDatabase(settings, run);
  await requireOneDatabase(ownerUrl, url);
  const claim = claimOfCommand(settings);
  await refuseOthers(ownerUrl, claim);
  const began = new Date();
  const { counts, others, rotating } = await writeBackup(ownerUrl, path, claim, run.signal, {
    say: (line) => console.log(line),
  });
  console.log(`${path}: ${describeCounts(counts)}.`);
  if (others.length > 0) console.log(describeOthers(others));
  console.log(describeSecrets(settings.SECRET_KEY ? null : join(settings.DATA_DIR, 'secrets.json'), rotating));
  if (!(await recordBackup(ownerUrl, began)))
    console.log('The database is of an earlier version and does not record backups.');
  return 0;
}

await supervise(backup, 130);
