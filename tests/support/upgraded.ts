import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The migration that the upgraded version adds. */
export const UPGRADE = '29990101000000_upgrade';

/** A later version of the system, with one more migration. */
export type Upgraded = {
  root: string;
  /** Writes the SQL of the migration `UPGRADE`. */
  write: (sql: string) => Promise<void>;
  remove: () => Promise<void>;
};

/** Creates a root directory for `applyMigrations`, with all migrations of this repository and one more. */
export async function makeUpgraded(): Promise<Upgraded> {
  const root = await mkdtemp(join(tmpdir(), 'upgraded-'));
  for (const name of ['prisma', 'prisma.config.ts']) await cp(name, join(root, name), { recursive: true });
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  const migration = join(root, 'prisma', 'migrations', UPGRADE);
  await mkdir(migration);
  return {
    root,
    write: (sql) => writeFile(join(migration, 'migration.sql'), sql),
    remove: () => rm(root, { recursive: true }),
  };
}
