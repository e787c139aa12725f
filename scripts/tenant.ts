// `npm run tenant`: manages the tenants of a LIVE deployment while its servers keep running. `USAGE` lists its commands.
import { StartError } from '@/lib/platform/postgres/start-error';
import { joinDatabase } from './start/prepare';
import { readSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';
import { parseCommand } from './tenant/command';

async function tenant(run: Run): Promise<number> {
  const command = parseCommand(process.argv.slice(2));
  const settings = readSettings();
  if (settings.ENVIRONMENT !== 'LIVE')
    throw new StartError('Only the tenants of a LIVE deployment can be managed: set ENVIRONMENT=LIVE.');
  const { ownerUrl } = await joinDatabase(settings, run);
  // Imported after `joinDatabase` has set the environment variables that these modules read.
  const [{ runCommand }, { closeDb }] = await Promise.all([import('./tenant/run'), import('@/lib/platform/db')]);
  const say = (line: string) => console.log(line);
  const { DATA_DIR: dataDir } = settings;
  const context = { dataDir, ownerUrl, now: new Date(), signal: run.signal, say };
  say(await runCommand(command, context).finally(closeDb));
  return 0;
}

await supervise(tenant, 130);
