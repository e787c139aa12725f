// `npm run password -- EMAIL`: issues a new password, for an only owner who has lost theirs.
import { StartError } from '@/lib/platform/postgres/start-error';
import { openDataDir } from './start/data-dir';
import { prepareDatabase } from './start/prepare';
import { openSecrets } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

async function password(run: Run): Promise<number> {
  const email = process.argv[2];
  if (!email) throw new StartError('Say whose: npm run password -- EMAIL');
  const settings = readSettings();
  await openDataDir(settings.DATA_DIR);
  await prepareDatabase(settings, openSecrets(settings), run);
  // Imported late: these modules read the settings that `prepareDatabase` sets.
  const [{ issuePassword }, { closeDb }] = await Promise.all([
    import('@/lib/access/owners/password'),
    import('@/lib/platform/db'),
  ]);
  const issued = await issuePassword(new Date(), email).finally(closeDb);
  if (issued === null) throw new StartError('No member has this e-mail address.');
  console.log(`The new password is ${issued} and every session of theirs has ended. Change it after signing in.`);
  return 0;
}

await supervise(password, 130);
