import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BASE_PATH } from '@/lib/contract/operations';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { type Secrets, writePrivate } from './secrets';
import type { StartSettings } from './settings';
import type { Run } from './supervise';

/**
 * Direct connections. `ownerUrl` has the role that owns the database. For an external database without
 * MIGRATION_DATABASE_URL, both have the same role.
 */
export type DatabaseUrls = { url: string; ownerUrl: string };

/** `exited` resolves if the embedded server exits. */
type Database = DatabaseUrls & { pooledUrl: string; exited: Promise<void> };

/** Returns the URLs of an external database, or null if DATABASE_URL is not set. */
export function externalUrls(settings: StartSettings): DatabaseUrls | null {
  const { DATABASE_URL, DIRECT_DATABASE_URL, MIGRATION_DATABASE_URL } = settings;
  const url = DIRECT_DATABASE_URL ?? DATABASE_URL;
  return url ? { url, ownerUrl: MIGRATION_DATABASE_URL ?? url } : null;
}

/**
 * Returns the database that the settings name. If DATABASE_URL is not set, starts the embedded server.
 * @throws StartError when the embedded server cannot start
 */
export async function openDatabase(
  settings: StartSettings,
  secrets: Secrets,
  run: Run,
  say: (line: string) => void,
): Promise<Database> {
  const urls = externalUrls(settings);
  if (urls) return { ...urls, pooledUrl: settings.DATABASE_URL ?? urls.url, exited: new Promise(() => {}) };
  if (!existsSync(join(settings.DATA_DIR, 'postgres.path'))) say('Creating the database …');
  const starting = startEmbedded({
    dataDir: settings.DATA_DIR,
    secrets: secrets.postgres,
    log: say,
    signal: run.signal,
  });
  // `run.signal` aborts a start. This stops a server that has already started.
  run.onStop(async () => {
    const embedded = await starting.catch(() => null);
    await embedded?.stop();
  });
  const { url, ownerUrl, exited } = await starting;
  return { url, ownerUrl, pooledUrl: url, exited };
}

const credentialsSchema = z.looseObject({
  base_url: z.string(),
  owner: z.looseObject({ email: z.string(), password: z.string() }),
  applications: z.array(z.looseObject({ name: z.string(), api_key: z.string() })).min(1),
});

export type Credentials = z.infer<typeof credentialsSchema>;

export function credentialsFile(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}

export function readCredentials(file: string): Credentials | null {
  try {
    return credentialsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Sets `base_url` in `credentials.json`, because the port can differ from the previous start. Returns null if the file
 * is missing or invalid.
 */
export function writeBaseUrl(dataDir: string, origin: string): Credentials | null {
  const file = credentialsFile(dataDir);
  const credentials = readCredentials(file);
  if (!credentials) return null;
  const updated = { ...credentials, base_url: origin + BASE_PATH };
  writePrivate(file, updated);
  return updated;
}
