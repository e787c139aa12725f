import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const UPGRADE = '29990101000000_upgrade';

export type Upgraded = {
  root: string;
  write: (sql: string) => Promise<void>;
  remove: () => Promise<void>;
};

/** With all migrations of this repository and one more. */
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
