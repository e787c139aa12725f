// `npm run dev`: runs the sandbox with its own embedded database and with hot reload.
import { StartError } from '@/lib/platform/postgres/start-error';
import { runReloading } from './dev/reload';
import { banner, localOrigin } from './start/banner';
import { openDataDir } from './start/data-dir';
import { writeBaseUrl } from './start/database';
import { prepareDatabase } from './start/prepare';
import { openSecrets } from './start/secrets';
import { readSettings, refuseTakenPort } from './start/settings';
import { type Run, supervise } from './start/supervise';

/**
 * `npm run dev` has its own data directory, so that a migration that is still being developed never reaches the
 * database of `npm start`.
 */
const DATA_DIR = '.data/dev';

const say = (line: string) => console.log(line);

async function dev(run: Run): Promise<number> {
  process.env.DATA_DIR ||= DATA_DIR;
  const settings = readSettings();
  if (settings.ENVIRONMENT !== 'TEST') throw new StartError('npm run dev runs a TEST environment only.');
  await refuseTakenPort(settings);
  await openDataDir(settings.DATA_DIR);
  say('Starting for development …');
  const database = await prepareDatabase(settings, openSecrets(settings), run);
  const port = await runReloading({
    root: process.cwd(),
    env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1', PORT: String(settings.PORT) },
    run,
    say,
  });
  const credentials = writeBaseUrl(settings.DATA_DIR, settings.PUBLIC_ORIGIN ?? localOrigin(settings, port));
  say(banner(settings, port, { credentials, setup: null }));
  await database.exited;
  throw new StartError('The database stopped unexpectedly.');
}

await supervise(dev, 0);
