import { type EnvironmentClaim, refuseOthers } from '../environment/claim';
import { withClient } from '../environment/connection';
import { applyMigrations } from '../environment/migrations';
import type { Counts } from './format';
import { loadBackup, verifyBackup } from './load';
import { withScratchDatabase } from './scratch';
import { openSample } from './sealed-sample';

/** `opened`: the number of values that were decrypted. `seconds`: from the verification of the file to the last index. */
export type Drill = { counts: Counts; createdAt: string; opened: number; seconds: number };

/**
 * Restores a backup into a scratch database beside the one in `ownerUrl`, as `npm run restore` does, and checks it: the
 * HMAC, every number of rows, every constraint, and with a sample that the secrets decrypt what the backup contains.
 * Drops the scratch database. Servers can run meanwhile.
 * @throws StartError if the backup cannot be restored, or like `withScratchDatabase`.
 */
export async function drillBackup(
  ownerUrl: string,
  path: string,
  claim: EnvironmentClaim,
  signal: AbortSignal,
  root = process.cwd(),
): Promise<Drill> {
  const started = performance.now();
  await verifyBackup(path, claim);
  return withScratchDatabase(ownerUrl, signal, async (scratchUrl) => {
    await applyMigrations(scratchUrl, root);
    const { counts, createdAt } = await loadBackup(scratchUrl, path, claim, signal);
    const seconds = Math.ceil((performance.now() - started) / 1000);
    await refuseOthers(scratchUrl, claim);
    const opened = await withClient(scratchUrl, (client) => openSample(client, claim));
    return { counts, createdAt, opened, seconds };
  });
}
