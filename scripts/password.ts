// `npm run password -- EMAIL`: sets a new password for a member, for example if the only owner has lost the password.
import { StartError } from '@/lib/platform/postgres/start-error';
import { openDataDir } from './start/data-dir';
import { prepareDatabase } from './start/prepare';
import { openSecrets } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

async function password(run: Run): Promise<number> {
  const email = process.argv[2];
  if (!email) throw new StartError('Specify an email address: npm run password -- EMAIL');
  const settings = readSettings();
  await openDataDir(settings.DATA_DIR);
  await prepareDatabase(settings, openSecrets(settings), run);
  // Imported after `prepareDatabase` has set the environment variables that these modules read.
  const [{ issuePassword }, { closeDb }] = await Promise.all([
    import('@/lib/access/owners/password'),
    import('@/lib/platform/db'),
  ]);
  const issued = await issuePassword(new Date(), email).finally(closeDb);
  if (issued === null) throw new StartError('No member has this email address.');
  console.log(
    `The new password is ${issued}. All sessions of the member have ended, and any second factor was removed. The member should change the password after the next sign-in.`,
  );
  return 0;
}

await supervise(password, 130);
