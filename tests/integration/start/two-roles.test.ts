import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminUrl, openPool } from '@/tests/support/database';
import { endLaunches, familyOf, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { refusal } from '@/tests/support/refusal';
import { SOAK } from '@/tests/support/soak';

const TIMEOUT = 180_000;
const SECRET_KEY = 'a secret of a deployment with two roles';
const PASSWORDS = { booking: 'hidden-of-servers', booking_owner: 'hidden-of-owner' };

let admin: pg.Pool;

const drop = async () => {
  for (const statement of ['DATABASE IF EXISTS booking_live WITH (FORCE)', 'ROLE IF EXISTS booking, booking_owner'])
    await admin.query(`DROP ${statement}`);
};

beforeAll(async () => {
  admin = openPool(adminUrl(), 1);
  await drop();
  // Runs the file that the deployment guide uses. Each statement is sent separately, because CREATE DATABASE cannot be
  // sent together with other statements.
  for (const statement of (await readFile('deploy/postgresql/roles.sql', 'utf8')).split(';'))
    if (statement.trim()) await admin.query(statement);
  for (const [role, password] of Object.entries(PASSWORDS))
    await admin.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
});

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await drop();
  await admin.end();
});

const urlOf = (role: keyof typeof PASSWORDS) => {
  const url = new URL(adminUrl());
  Object.assign(url, { username: role, password: PASSWORDS[role], pathname: '/booking_live' });
  return url.href;
};

/** Runs a command until it exits, and returns its exit code and the last line of its output. */
async function run(command: string, settings: Record<string, string>): Promise<[number | null, string]> {
  const started = launch({ DATA_DIR: await freshDataDir(), SECRET_KEY, ...settings }, [command]);
  const code = await started.ended();
  expect(started.output()).not.toContain('hidden');
  return [code, started.output().trim().split('\n').at(-1) ?? ''];
}

const refused = async (settings: Record<string, string>) =>
  refusal({ DATA_DIR: await freshDataDir(), SECRET_KEY, ...settings });

test(
  'with the roles of deploy/postgresql/roles.sql, only npm run migrate migrates, and servers start with the other role',
  async () => {
    const server = { DATABASE_URL: urlOf('booking') };
    const both = { ...server, MIGRATION_DATABASE_URL: urlOf('booking_owner') };
    const missing =
      /^The database lacks migrations of this version \(the first is \w+\), and the role booking is not allowed to migrate it\. Run npm run migrate first, with MIGRATION_DATABASE_URL /;
    // With both URLs, `start` fails, because it does not use MIGRATION_DATABASE_URL to migrate. Without
    // MIGRATION_DATABASE_URL, `migrate` fails, because it connects as the servers' role, which may not migrate.
    expect(await refused(both)).toMatch(missing);
    if (SOAK) expect(await run('migrate', server)).toEqual([1, expect.stringMatching(missing)]);
    expect(await run('migrate', both)).toEqual([0, 'The database is up to date.']);
    // The server that `start` starts must not get MIGRATION_DATABASE_URL in its environment.
    const started = launch({ DATA_DIR: await freshDataDir(), SECRET_KEY, ...both });
    await started.running();
    if (process.platform === 'linux') {
      const [, ...children] = await familyOf(started.pid);
      const environments = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8')));
      const servers = environments.filter((text) => text.includes('NODE_ENV=production'));
      expect(servers.length).toBeGreaterThan(0);
      for (const text of servers) expect(text).not.toContain(PASSWORDS.booking_owner);
    }
    const owner = openPool(urlOf('booking_owner'), 1);
    const { rows } = await owner.query(
      'SELECT DISTINCT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE relname ~ $1',
      ['^(tenants|request_log)'],
    );
    expect(rows).toEqual([{ owner: 'booking_owner' }]);
    await owner.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '2999_later', now())`,
    );
    await owner.end();
    expect(await refused(server)).toBe(
      'This database belongs to a newer version, which has added the migration 2999_later. Use that version.',
    );
  },
  TIMEOUT,
);
