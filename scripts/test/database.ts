import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { prepareTemplate } from '@/tests/support/database';
import type { Run } from '../start/supervise';

/**
 * Starts a test run's database server in a temporary directory, with the template database that tests copy. The
 * server and its data are removed at the end of the run.
 * @returns the URL for connecting to the server as its superuser, with the password.
 */
export async function startTestDatabase(run: Run): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-booking-test-'));
  const secrets = { password: randomBytes(18).toString('base64url'), clusterId: randomBytes(6).toString('hex') };
  const starting = startEmbedded({ dataDir, secrets, log: console.log, signal: run.signal });
  run.onStop(async () => {
    const embedded = await starting.catch(() => null);
    await embedded?.destroy();
    await rm(dataDir, { recursive: true, force: true });
  });
  const { adminUrl } = await starting;
  await dispenseWithFsync(adminUrl);
  await prepareTemplate(adminUrl);
  return adminUrl;
}

/** The database is removed after the run, so it need not survive a power failure. Tests kill processes only. */
async function dispenseWithFsync(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query('ALTER SYSTEM SET fsync = off');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}
