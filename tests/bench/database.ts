import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { clearOrphan } from '@/lib/platform/postgres/postmaster';

/** The highest quota that an application can have: no run comes near it in a minute. */
const QUOTA = 1_000_000;

/** The synthetic business that is measured, and the application that asks. */
export type Business = { tenantId: string; applicationId: string; apiKey: string };

/** The database of one run of the benchmarks. */
export type BenchDatabase = { url: string; business: Business; close: () => Promise<void> };

/**
 * Starts an embedded PostgreSQL in a new directory, with fsync on like everywhere, and fills it with the sandbox.
 * From then on the environment of this process is that of a server on this database.
 * @param directory removed and made again; the caller holds a lock above it.
 */
export async function openDatabase(
  directory: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<BenchDatabase> {
  await removeDatabase(directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const secrets = { password: randomBytes(24).toString('base64url'), clusterId: randomBytes(6).toString('hex') };
  const embedded = await startEmbedded({ dataDir: directory, secrets, log: say, signal });
  const settings = {
    ENVIRONMENT: 'TEST',
    DATABASE_URL: embedded.url,
    SECRET_KEY: randomBytes(32).toString('base64url'),
  };
  Object.assign(process.env, settings, { DATA_DIR: '' });
  // Loaded only now: these modules read the settings that were just completed.
  const { closeDb } = await import('@/lib/platform/db');
  const close = async () => {
    await closeDb().catch(() => {});
    await embedded.stop();
    await removeDatabase(directory);
  };
  try {
    await applyMigrations(embedded.url);
    return { url: embedded.url, business: await fill(), close };
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
  // The first application may do everything everywhere.
  const first = created?.applications[0];
  if (!first) throw new Error('The database could not be filled.');
  const { tenantId } = await db().application.update({ where: { id: first.id }, data: { quota: QUOTA } });
  return { tenantId, applicationId: first.id, apiKey: first.api_key };
}

/** Removes a database, also one that a killed run left behind, running or not; as root it lies outside its directory. */
async function removeDatabase(directory: string): Promise<void> {
  const record = join(directory, 'postgres.path');
  if (existsSync(record)) {
    const cluster = readFileSync(record, 'utf8').trim();
    await clearOrphan(cluster, () => {});
    await rm(dirname(cluster), { recursive: true, force: true });
  }
  await rm(directory, { recursive: true, force: true });
}
