import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** In the data directory: the version that used it last, and the newest migration of its database. */
export const LAST_USE = 'release.json';

/**
 * Returns why this version must not start with a data directory that a newer version has used, or null. The check of the
 * database says the same, but only after minutes of installing and building. `root` contains `prisma/migrations`.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} settings
 * @returns {string | null}
 */
export function downgradeProblem(root, settings) {
  const directory = settings.DATA_DIR || `.data/${settings.ENVIRONMENT || 'TEST'}`;
  try {
    const file = resolve(root, directory, LAST_USE);
    const text = readFileSync(file, 'utf8');
    const { version, migration } = JSON.parse(text);
    if (existsSync(join(root, 'prisma', 'migrations', String(migration)))) return null;
    return `Version ${version} has used ${directory}, and added the migration ${migration}. This version is older: start version ${version} or a newer one. If an older backup was restored since, delete ${file}.`;
  } catch {
    // Nobody has used the directory yet, or its file cannot be read: the check of the database decides.
    return null;
  }
}
