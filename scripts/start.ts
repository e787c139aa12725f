// `npm start`: prepares the database and the build, runs the server as a child process, and stops everything on a
// signal.
import { exposure } from '@/lib/operations/doctor/machine';
import { StartError } from '@/lib/platform/postgres/start-error';
import { readRelease } from '@/lib/platform/release';
import { banner, localOrigin } from './start/banner';
import { ensureBuild, SERVER_FILE } from './start/build';
import { announceStop, awaitStopping, openDataDir, recordUse } from './start/data-dir';
import { writeBaseUrl } from './start/database';
import { prepareDatabase } from './start/prepare';
import { openSecrets } from './start/secrets';
import { startServer } from './start/server';
import { readSettings, refuseTakenPort } from './start/settings';
import { keepSetupLink } from './start/setup-link';
import { type Run, supervise } from './start/supervise';

const ROOT = process.cwd();

const say = (line: string) => console.log(line);

async function start(run: Run): Promise<number> {
  const settings = readSettings();
  await awaitStopping(settings.DATA_DIR, settings.DRAIN_DELAY, say);
  await refuseTakenPort(settings);
  await openDataDir(settings.DATA_DIR);
  announceStop(settings.DATA_DIR, run);
  const secrets = openSecrets(settings);
  say(`Starting ${readRelease(ROOT).version} (${settings.ENVIRONMENT}) …`);
  // In parallel: the database mainly waits for the disk, and the build mainly uses the processor.
  const [database] = await Promise.all([prepareDatabase(settings, secrets, run), ensureBuild(ROOT, say, run.signal)]);
  const starting = startServer({
    root: ROOT,
    file: SERVER_FILE,
    env: { ...process.env, NODE_ENV: 'production' },
    signal: run.signal,
    notice: settings.DRAIN_DELAY * 1000,
  });
  run.onStop(async () => {
    const server = await starting.catch(() => null);
    await server?.stop();
  });
  recordUse(ROOT, settings.DATA_DIR);
  const server = await starting;
  process.on('SIGUSR2', server.restart);
  const origin = settings.PUBLIC_ORIGIN ?? localOrigin(settings, server.port);
  const credentials = settings.ENVIRONMENT === 'TEST' ? writeBaseUrl(settings.DATA_DIR, origin) : null;
  const setup = keepSetupLink(settings.DATA_DIR, database.setupToken && `${origin}/setup/${database.setupToken}`);
  const exposed = exposure(settings);
  if (exposed) say(`Warning: ${exposed.text} ${exposed.fix}`);
  say(banner(settings, server.port, { credentials, setup }));
  const how = await Promise.race([
    server.exited.then((reason) => `The server stopped unexpectedly (${reason}).`),
    database.exited.then(() => 'The database stopped unexpectedly.'),
  ]);
  throw new StartError(how);
}

// A stop by a signal counts as success (exit code 0).
await supervise(start, 0);
