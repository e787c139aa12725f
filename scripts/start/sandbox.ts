import { renameSync, rmSync } from 'node:fs';
import { BASE_PATH } from '@/lib/contract/operations';
import type { SandboxCredentials } from '@/lib/operations/sandbox/seed';
import { localOrigin } from './banner';
import { credentialsFile, readCredentials } from './database';
import { writePrivate } from './secrets';
import type { StartSettings } from './settings';

/**
 * Fills an empty sandbox and writes its passwords and API keys to `credentials.json`. If the sandbox is already filled
 * and `reissue` is true, replaces its passwords and keys.
 *
 * The database contains only hashes of the passwords and keys. They are therefore written to a pending file before the
 * transaction commits. After the commit, this file is renamed to `credentials.json`. If this process is killed before
 * the rename, the next start checks whether the transaction was committed. If so, it renames the pending file. If not,
 * it replaces or deletes the file.
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
    // If the database lacks the credentials in the pending file, they are useless, so the file is deleted. Either the
    // transaction was rolled back, or the file belongs to a different database.
    if (kept && (await hasCredentials(db(), kept.applications))) renameSync(pending, file);
    else rmSync(pending, { force: true });
  } finally {
    await closeDb();
  }
}
