import { existsSync, rmSync } from 'node:fs';
import { claimEnvironment, refuseOthers } from '@/lib/operations/environment/claim';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { localOrigin } from './banner';
import { credentialsFile, openDatabase } from './database';
import { type Secrets, writePrivate } from './secrets';
import type { StartSettings } from './settings';
import type { Run } from './supervise';

const say = (line: string) => console.log(line);

/** Fills in what the modules that read `lib/env.ts`, here and in the server, expect of their environment. */
function exportSettings(settings: StartSettings, secrets: Secrets, databaseUrl: string): void {
  const { ENVIRONMENT, DATA_DIR } = settings;
  Object.assign(process.env, { ENVIRONMENT, DATA_DIR, DATABASE_URL: databaseUrl, SECRET_KEY: secrets.secretKey });
}

/**
 * Fills an empty sandbox, or gives it new sign-ins and keys. They are seen once, so a start that was killed between
 * storing them and writing them down leaves a mark, and the next one issues new ones.
 */
async function seed(settings: StartSettings, reissue: boolean): Promise<void> {
  // Loaded only now: these modules read the settings that were just completed.
  const [{ reissueCredentials, seedSandbox }, { closeDb, db }] = await Promise.all([
    import('@/lib/operations/sandbox/seed'),
    import('@/lib/platform/db'),
  ]);
  const mark = `${credentialsFile(settings.DATA_DIR)}.pending`;
  const wanted = reissue || existsSync(mark);
  try {
    writePrivate(mark, {});
    const created = await seedSandbox(db(), new Date());
    if (created) say('Filled the sandbox with a synthetic business.');
    const credentials = created ?? (wanted ? await reissueCredentials(db(), new Date()) : null);
    const base_url = settings.PUBLIC_ORIGIN ?? localOrigin(settings, settings.PORT);
    if (credentials) writePrivate(credentialsFile(settings.DATA_DIR), { base_url, ...credentials });
    rmSync(mark);
  } finally {
    await closeDb();
  }
}

/** Returns the token of the link that makes the first owner of an empty LIVE; null once there is one. */
async function setupToken(): Promise<string | null> {
  // Loaded only now, as above.
  const [{ createSetupLink }, { closeDb }] = await Promise.all([
    import('@/lib/operations/setup'),
    import('@/lib/platform/db'),
  ]);
  try {
    return await createSetupLink(new Date());
  } finally {
    await closeDb();
  }
}

/** The database of a start, and the token of the link that LIVE prints while it has no owner. */
type Prepared = Awaited<ReturnType<typeof openDatabase>> & { setupToken: string | null };

/**
 * Brings the database up to date, makes sure that it is ours and, in TEST, that the sandbox is filled.
 * @param reissue give the sandbox new passwords and keys, for a lost `credentials.json`
 */
export async function prepareDatabase(
  settings: StartSettings,
  secrets: Secrets,
  run: Run,
  reissue = false,
): Promise<Prepared> {
  const database = await openDatabase(settings, secrets, run, say);
  exportSettings(settings, secrets, database.url);
  const { ENVIRONMENT: environment } = settings;
  const claim = { environment, secretKey: secrets.secretKey };
  // Before the migrations too: a start with the wrong secrets changes nothing.
  await refuseOthers(database.url, claim);
  await applyMigrations(database.url);
  await claimEnvironment(database.url, claim);
  if (environment === 'TEST') await seed(settings, reissue);
  return { ...database, setupToken: environment === 'LIVE' ? await setupToken() : null };
}
