// `npm run drill -- FILE`: restores a backup into a scratch database, checks it, and drops the database. Servers can run
// meanwhile.
import { recordDrill } from '@/lib/operations/backup/age';
import { isDirectory, newestBackup } from '@/lib/operations/backup/directory';
import { drillBackup } from '@/lib/operations/backup/drill';
import { describeCounts, readFileArgument } from '@/lib/operations/backup/file';
import { requireOneDatabase } from '@/lib/operations/environment/grants';
import { findDatabase } from './start/running-database';
import { claimOfCommand } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

async function drill(run: Run): Promise<number> {
  const argument = readFileArgument('drill', process.argv.slice(2));
  const settings = readSettings();
  const began = new Date();
  const path = (await isDirectory(argument)) ? await newestBackup(argument, settings.ENVIRONMENT, began) : argument;
  const { url, ownerUrl } = await findDatabase(settings, run);
  await requireOneDatabase(ownerUrl, url);
  const drilling = drillBackup(ownerUrl, path, claimOfCommand(settings), run.signal);
  // Before this process ends, the scratch database is dropped.
  run.onStop(() =>
    drilling.then(
      () => {},
      () => {},
    ),
  );
  const { counts, createdAt, opened, seconds } = await drilling;
  console.log(`${path}: restored ${describeCounts(counts)}, as of ${createdAt}.`);
  console.log(`The restore took ${seconds} seconds for ${counts.bookings ?? 0} bookings.`);
  console.log(`The secrets decrypt the backup: ${opened} of its encrypted values were opened.`);
  if (!(await recordDrill(ownerUrl, began)))
    console.log('The database is of an earlier version and does not record drills.');
  return 0;
}

await supervise(drill, 130);
