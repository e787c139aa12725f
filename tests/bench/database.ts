import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { clearOrphan } from '@/lib/platform/postgres/postmaster';

/** The highest quota, which the load never reaches. */
const QUOTA = 1_000_000;

/** The synthetic business under test and the application that sends the requests. */
export type Business = { tenantId: string; applicationId: string; apiKey: string };

export type BenchDatabase = { url: string; business: Business; close: () => Promise<void> };

/**
 * Starts an embedded PostgreSQL server in a new directory, with fsync. Fills its database with the sandbox data. Sets
 * the environment variables of this process to the values that a server would have.
 * @param directory is deleted and created again; the caller must hold the lock on its parent directory
 */
export async function openDatabase(
  directory: string,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<BenchDatabase> {
  await removeDatabase(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const secrets = { password: randomBytes(24).toString('base64url'), clusterId: randomBytes(6).toString('hex') };
  const embedded = await startEmbedded({ dataDir: directory, secrets, log, signal });
  const settings = {
    ENVIRONMENT: 'TEST',
    // The benchmarks connect as a superuser, because they run CHECKPOINT after filling a table. The servers' role may
    // not run this statement.
    DATABASE_URL: embedded.adminUrl,
    SECRET_KEY: randomBytes(32).toString('base64url'),
  };
  Object.assign(process.env, settings, { DATA_DIR: '' });
  // Imported dynamically, because these modules read environment variables that must be set first.
  const { closeDb } = await import('@/lib/platform/db');
  const close = async () => {
    await closeDb().catch(() => {});
    await embedded.stop();
    await removeDatabase(directory);
  };
  try {
    await applyMigrations(embedded.adminUrl);
    return { url: embedded.adminUrl, business: await fill(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fill(): Promise<Business> {
  const [{ seedSandbox }, { db }] = await Promise.all([
    import('@/lib/operations/sandbox/seed/sandbox'),
    import('@/lib/platform/db'),
  ]);
  const created = await seedSandbox(db(), new Date());
  // `first` is the application of the sandbox that has all scopes and locations.
  const [first] = created?.applications ?? [];
  if (!first) throw new Error('The sandbox data could not be created.');
  const { tenantId } = await db().application.update({ where: { id: first.id }, data: { quota: QUOTA } });
  return { tenantId, applicationId: first.id, apiKey: first.api_key };
}

/**
 * Deletes the database in a directory. First stops a server that a killed run left behind. The file `postgres.path`
 * contains the path of the cluster, which is outside the directory if this process runs as root.
 */
async function removeDatabase(directory: string): Promise<void> {
  const record = join(directory, 'postgres.path');
  if (existsSync(record)) {
    const cluster = readFileSync(record, 'utf8').trim();
    await clearOrphan(cluster, () => {});
    await rm(dirname(cluster), { recursive: true, force: true });
  }
  await rm(directory, { recursive: true, force: true });
}
