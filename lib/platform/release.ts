import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { singleton } from './singleton';

/** Below the root of the deployment. Contains the commit from which the pages were built, if it was known. */
export const COMMIT_FILE = '.next/commit';

/** `commit` is the hash of the source, or null for a build without a repository. */
export type Release = { version: string; commit: string | null };

/** Returns the release that this process runs. It is read once: the folder may get another release while it runs. */
export function release(): Release {
  return singleton('release', () => readRelease(process.cwd()));
}

/** Returns the release in a folder. */
export function readRelease(root: string): Release {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { version, commit: readCommit(root) };
}

function readCommit(root: string): string | null {
  try {
    const text = readFileSync(join(root, COMMIT_FILE), 'utf8').trim();
    return /^[0-9a-f]{40}$/.test(text) ? text : null;
  } catch {
    return null;
  }
}

/** Returns a release as people read it, such as `0.2.0 (fd32d3bd)`. */
export function describeRelease({ version, commit }: Release): string {
  return commit === null ? version : `${version} (${commit.slice(0, 8)})`;
}
