import { renameSync, rmSync } from 'node:fs';
import { BASE_PATH } from '@/lib/contract/operations';
import type { SandboxCredentials } from '@/lib/operations/sandbox/seed';
import { localOrigin } from './banner';
import { credentialsFile, readCredentials } from './database';
import { writePrivate } from './secrets';
import type { StartSettings } from './settings';

/**
 * Fills an empty sandbox and writes its passwords and API keys to `credentials.json`. `reissue` replaces them. The
 * database contains only hashes, so they are written to a pending file before the commit, and renamed after it. If this
 * process is killed in between, the next start checks whether the transaction was committed.
 */
export async function prepareSandbox(
  settings: Pick<StartSettings, 'DATA_DIR' | 'HOST' | 'PORT' | 'PUBLIC_ORIGIN'>,
  reissue: boolean,
): Promise<void> {
  // Imported dynamically so that `exportSettings` sets the environment variables before these modules read them.
  const [{ hasCredentials, reissueCredentials, seedSandbox }, { closeDb, db }] = await Promise.all([
    import('@/lib/operations/sandbox/seed'),
    import('@/lib/platform/db'),
  ]);
  const file = credentialsFile(settings.DATA_DIR);
  const pending = `${file}.pending`;
  const base_url = (settings.PUBLIC_ORIGIN ?? localOrigin(settings, settings.PORT)) + BASE_PATH;
  const keep = (credentials: SandboxCredentials) => writePrivate(pending, { base_url, ...credentials });
  try {
    const created = await seedSandbox(db(), new Date(), keep);
    if (created) console.log('Filled the sandbox with a synthetic business.');
    else if (reissue) await reissueCredentials(db(), new Date(), keep);
    const kept = readCredentials(pending);
    // Either the transaction was rolled back, or the file belongs to a different database.
    if (kept && (await hasCredentials(db(), kept.applications))) renameSync(pending, file);
    else rmSync(pending, { force: true });
  } finally {
    await closeDb();
  }
}
