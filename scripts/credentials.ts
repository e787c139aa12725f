// `npm run credentials`: replaces the sandbox's passwords and keys, for example when credentials.json is lost.
import { StartError } from '@/lib/platform/postgres/start-error';
import { openDataDir } from './start/data-dir';
import { credentialsFile } from './start/database';
import { prepareDatabase } from './start/prepare';
import { openSecrets } from './start/secrets';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

async function credentials(run: Run): Promise<number> {
  const settings = readSettings();
  if (settings.ENVIRONMENT !== 'TEST')
    throw new StartError('Only TEST has a sandbox with credentials, and ENVIRONMENT is LIVE.');
  await openDataDir(settings.DATA_DIR);
  await prepareDatabase(settings, openSecrets(settings), run, true);
  console.log(`New passwords and keys are in ${credentialsFile(settings.DATA_DIR)}; the old keys are revoked.`);
  return 0;
}

await supervise(credentials, 130);
