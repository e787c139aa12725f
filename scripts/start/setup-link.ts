import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateText } from './secrets';

/**
 * Keeps the setup link out of logs. If the standard output is a terminal, returns the link. Otherwise, writes the link
 * to a file with mode 0600 in the data directory, and returns the path of the file. Removes the file of an earlier
 * start, whose link is not valid anymore.
 * @param link null if the deployment has an owner
 * @throws StartError if the file cannot be written
 */
export function keepSetupLink(dataDir: string, link: string | null): { link: string } | { file: string } | null {
  const file = join(dataDir, 'setup-link');
  rmSync(file, { force: true });
  if (link === null) return null;
  if (process.stdout.isTTY) return { link };
  writePrivateText(file, `${link}\n`);
  return { file };
}
