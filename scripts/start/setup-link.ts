import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateText } from './secrets';

/**
 * Returns the link for a terminal. Other output may be a log, so the link goes to a file (0600), whose path is
 * returned.
 * @throws StartError if the file cannot be written
 */
export function keepLink(file: string, link: string): { link: string } | { file: string } {
  if (process.stdout.isTTY) return { link };
  writePrivateText(file, `${link}\n`);
  return { file };
}

/**
 * Removes the file of an earlier link, which is no longer valid, and keeps `link` (see `keepLink`), unless it is null.
 * @throws StartError if the file cannot be written
 */
export function keepSetupLink(dataDir: string, link: string | null): { link: string } | { file: string } | null {
  const file = join(dataDir, 'setup-link');
  rmSync(file, { force: true });
  return link === null ? null : keepLink(file, link);
}
