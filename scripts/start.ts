// The supervisor behind `npm start`: prepares the database and the build, runs the server as a child process, and
// stops everything when it is told to.
import { existsSync, rmSync } from 'node:fs';
import { claimEnvironment } from '@/lib/environment/claim';
import { applyMigrations } from '@/lib/environment/migrations';
import { StartError } from '@/lib/postgres/start-error';
import { banner, localOrigin } from './start/banner';
import { ensureBuild } from './start/build';
import { openDataDir } from './start/data-dir';
import { credentialsFile, openDatabase, writeBaseUrl } from './start/database';
import { openSecrets, type Secrets, writePrivate } from './start/secrets';
import { startServer } from './start/server';
import { readSettings, refuseTakenPort, type StartSettings } from './start/settings';
import { type Run, supervise } from './start/supervise';

const ROOT = process.cwd();

const say = (line: string) => console.log(line);

/** Fills in what the modules that read `lib/env.ts`, here and in the server, expect of their environment. */
function exportSettings(settings: StartSettings, secrets: Secrets, databaseUrl: string): void {
  const { ENVIRONMENT, DATA_DIR } = settings;
  Object.assign(process.env, { ENVIRONMENT, DATA_DIR, DATABASE_URL: databaseUrl, SECRET_KEY: secrets.secretKey });
}

/**
 * Fills an empty sandbox. Its keys are seen once, so a start that was killed between storing them and writing them
 * down leaves a mark, and the next one issues new ones.
 */
async function seed(settings: StartSettings): Promise<void> {
  // Loaded only now: these modules read the settings that were just completed.
  const [{ reissueCredentials, seedSandbox }, { closeDb, db }] = await Promise.all([
    import('@/prisma/seed'),
    import('@/lib/db'),
  ]);
  const mark = `${credentialsFile(settings.DATA_DIR)}.pending`;
  const interrupted = existsSync(mark);
  try {
    writePrivate(mark, {});
    const created = await seedSandbox(db(), new Date());
    if (created) say('Filled the sandbox with a synthetic business.');
    const credentials = created ?? (interrupted ? await reissueCredentials(db(), new Date()) : null);
    const base_url = localOrigin(settings, settings.PORT);
    if (credentials) writePrivate(credentialsFile(settings.DATA_DIR), { base_url, ...credentials });
    rmSync(mark);
  } finally {
    await closeDb();
  }
}

/** Brings the database up to date and makes sure that it is ours; resolves with its address. */
async function prepareDatabase(settings: StartSettings, secrets: Secrets, run: Run) {
  const database = await openDatabase(settings, secrets, run, say);
  exportSettings(settings, secrets, database.url);
  const { ENVIRONMENT: environment } = settings;
  await applyMigrations(database.url);
  await claimEnvironment(database.url, { environment, secretKey: secrets.secretKey });
  if (environment === 'TEST') await seed(settings);
  return database;
}

async function start(run: Run): Promise<number> {
  const settings = readSettings();
  await refuseTakenPort(settings);
  await openDataDir(settings.DATA_DIR);
  const secrets = openSecrets(settings);
  say(`Starting (${settings.ENVIRONMENT}) …`);
  // They need different things, the one the disk and the other a processor.
  const [database] = await Promise.all([prepareDatabase(settings, secrets, run), ensureBuild(ROOT, say, run.signal)]);
  const starting = startServer(ROOT, { ...process.env, NODE_ENV: 'production' }, run.signal);
  run.onStop(async () => {
    const server = await starting.catch(() => null);
    await server?.stop();
  });
  const server = await starting;
  const origin = settings.PUBLIC_ORIGIN ?? localOrigin(settings, server.port);
  const credentials = settings.ENVIRONMENT === 'TEST' ? writeBaseUrl(settings.DATA_DIR, origin) : null;
  say(banner(settings, server.port, credentials));
  const how = await Promise.race([
    server.exited.then((reason) => `The server ended unexpectedly (${reason}).`),
    database.exited.then(() => 'The database ended unexpectedly.'),
  ]);
  throw new StartError(how);
}

// Stopping on request is success.
await supervise(start, 0);
