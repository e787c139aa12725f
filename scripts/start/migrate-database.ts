import { type EnvironmentClaim, refuseOthers } from '@/lib/operations/environment/claim';
import { withClient } from '@/lib/operations/environment/connection';
import {
  grantServer,
  mayMigrate,
  requireGrants,
  requireMigrated,
  requireOneDatabase,
} from '@/lib/operations/environment/grants';
import { applyMigrations, pendingMigrations } from '@/lib/operations/environment/migrations';
import { requireDirect } from '@/lib/operations/environment/pooler';
import type { DatabaseUrls } from './database';

const say = (line: string) => console.log(line);

/**
 * Migrates a database as `ownerUrl`, and grants the role in `url` its privileges. Returns the names of the applied
 * migrations. If that role may not migrate, only checks that nothing is missing.
 * @throws EnvironmentError if `ownerUrl` leads through a pooler, if the URLs lead to different databases or to one of
 * another environment or secret, or if a migration fails or needs a different role
 */
export async function migrateDatabase({ url, ownerUrl }: DatabaseUrls, claim: EnvironmentClaim): Promise<string[]> {
  const root = process.cwd();
  await requireDirect(ownerUrl);
  const migrates = await withClient(ownerUrl, async (client) => {
    const may = await mayMigrate(client);
    if (!may) await requireGrants(client);
    // The later checks cannot read a database of an early version.
    await pendingMigrations(client, root);
    return may;
  });
  // A start with the wrong secrets or URLs must not change the database.
  await refuseOthers(ownerUrl, claim);
  await requireOneDatabase(ownerUrl, url);
  if (!migrates) {
    await withClient(ownerUrl, (client) => requireMigrated(client, root));
    return [];
  }
  const applied = await applyMigrations(ownerUrl, root, { say });
  await grantServer(ownerUrl, url, { say });
  return applied;
}
