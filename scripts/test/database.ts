import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { OWNER, rolePassword, SERVER, SUPERUSER } from '@/lib/platform/postgres/roles';
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
  await dispenseWithDurability(adminUrl);
  await hashPasswordsQuickly(adminUrl);
  await prepareTemplate(adminUrl);
  return adminUrl;
}

/**
 * The server is removed after the run, so it need not survive a power failure. Tests kill processes only. Autovacuum
 * visits each database once per `autovacuum_naptime`, and a run leaves hundreds of them.
 */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', autovacuum_naptime: '10min' };

const dispenseWithDurability = (adminUrl: string) =>
  asSuperuser(adminUrl, async (client) => {
    for (const [name, value] of Object.entries(SETTINGS)) await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await client.query('SELECT pg_reload_conf()');
  });

/** A run opens thousands of connections. With the 4,096 default iterations, each takes milliseconds to authenticate. */
const hashPasswordsQuickly = (adminUrl: string) =>
  asSuperuser(adminUrl, async (client, password) => {
    await client.query('SET scram_iterations = 1');
    const roles = [[SUPERUSER, password], ...[OWNER, SERVER].map((role) => [role, rolePassword(password, role)])];
    for (const [role, secret = ''] of roles)
      await client.query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(secret)}`);
  });

async function asSuperuser(adminUrl: string, work: (client: pg.Client, password: string) => Promise<void>) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await work(client, decodeURIComponent(new URL(adminUrl).password));
  await client.end();
}
