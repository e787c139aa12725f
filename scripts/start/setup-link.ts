import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateText } from './secrets';

/**
 * Returns the link if the standard output is a terminal. Otherwise, the output may be a log, so this function writes
 * the link to a file with mode 0600 and returns the file's path.
 * @throws StartError if the file cannot be written
 */
export function keepLink(file: string, link: string): { link: string } | { file: string } {
  if (process.stdout.isTTY) return { link };
  writePrivateText(file, `${link}\n`);
  return { file };
}

/**
 * Removes the file with the setup link of an earlier start, because that link is no longer valid. Then passes `link` to
 * `keepLink` and returns the result. Returns null if `link` is null.
 * @param link null if the deployment has an owner
 * @throws StartError if the file cannot be written
 */
export function keepSetupLink(dataDir: string, link: string | null): { link: string } | { file: string } | null {
  const file = join(dataDir, 'setup-link');
  rmSync(file, { force: true });
  return link === null ? null : keepLink(file, link);
}
