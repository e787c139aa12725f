import { EnvironmentError } from '@/lib/operations/environment/connection';
import { StartError } from '@/lib/platform/postgres/start-error';
import type { Lock } from '@/scripts/bootstrap/lock.mjs';
import { openDataDir } from '@/scripts/start/data-dir';
import { prepareDatabase } from '@/scripts/start/prepare';
import { openSecrets } from '@/scripts/start/secrets';
import { readSettings, refuseTakenPort } from '@/scripts/start/settings';

/** Returns what a start with these settings says. It is prepared in this process, which is seconds faster. */
export async function refusal(given: Record<string, string>): Promise<string> {
  const before = process.env;
  // A start changes the environment variables of its process.
  process.env = { PORT: '0', ...given } as unknown as NodeJS.ProcessEnv;
  let lock: Lock | null = null;
  try {
    const settings = readSettings();
    await refuseTakenPort(settings);
    lock = await openDataDir(settings.DATA_DIR);
    const run = { signal: new AbortController().signal, onStop: () => {}, stopAll: async () => {} };
    await prepareDatabase(settings, openSecrets(settings), run);
  } catch (error) {
    if (error instanceof StartError || error instanceof EnvironmentError) return error.message;
    throw error;
  } finally {
    process.env = before;
    // A directory of a later test can get the same inode, and with it the lock.
    await lock?.release();
  }
  throw new Error('The start was not refused.');
}
