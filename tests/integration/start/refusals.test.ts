import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { createDatabase, openPool } from '@/tests/support/database';
import { freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { refusal } from '@/tests/support/refusal';

const SECRET = 'a secret key for tests only, never deployed';

afterAll(removeDataDirs);

/** Returns the output of a refused start in a process of its own. */
async function refusedCommand(settings: Record<string, string>): Promise<string> {
  const started = launch(settings);
  expect(await started.ended()).toBe(1);
  return started.output().trim();
}

describe('a refused start', () => {
  it('names a port in use', async () => {
    const other = createServer().listen(0);
    await once(other, 'listening');
    const address = other.address();
    const PORT = String(typeof address === 'object' ? address?.port : '');
    const DATA_DIR = await freshDataDir();
    expect(await refusal({ DATA_DIR, PORT })).toBe(
      `Port ${PORT} is already in use. Stop the process that uses it, or set PORT to another port.`,
    );
    expect(existsSync(DATA_DIR)).toBe(false);
    other.close();
  });

  it('names every invalid setting without its value', async () => {
    const said = await refusedCommand({ DATA_DIR: await freshDataDir(), PORT: 'abc', ENVIRONMENT: 'STAGING' });
    expect(said).toBe('Invalid setting: ENVIRONMENT must be TEST or LIVE; PORT must be a number.');
  });

  it('requires SECRET_KEY when LIVE has its own database', async () => {
    const DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/nothing';
    expect(await refusal({ DATA_DIR: await freshDataDir(), ENVIRONMENT: 'LIVE', DATABASE_URL })).toBe(
      'SECRET_KEY must be set when DATABASE_URL is set in LIVE.',
    );
  });

  it('reports a data directory that is a file', async () => {
    const DATA_DIR = await freshDataDir();
    await writeFile(DATA_DIR, '');
    expect(await refusal({ DATA_DIR })).toBe(`The data directory ${DATA_DIR} is not a directory.`);
  });

  it('reports a data directory that cannot be created', async () => {
    const file = await freshDataDir();
    await writeFile(file, '');
    expect(await refusal({ DATA_DIR: join(file, 'below') })).toMatch(/^The data directory .* is not a directory\.$/);
    const said = await refusal({ DATA_DIR: '/proc/partner-booking' });
    expect(said).toMatch(/^(The data directory|No permission to write the data directory) .*\.$/);
  });

  it('refuses a data directory of the other environment', async () => {
    const DATA_DIR = await freshDataDir();
    await mkdir(dirname(DATA_DIR), { recursive: true });
    await mkdir(DATA_DIR);
    const postgres = { password: 'unused', cluster_id: 'unused' };
    await writeFile(
      join(DATA_DIR, 'secrets.json'),
      JSON.stringify({ environment: 'LIVE', secret_key: SECRET, postgres }),
    );
    expect(await refusal({ DATA_DIR })).toBe(
      `The data directory ${DATA_DIR} belongs to a LIVE environment, but ENVIRONMENT is TEST. Set DATA_DIR to another directory.`,
    );
  });

  it('refuses damaged and missing secrets', async () => {
    const DATA_DIR = await freshDataDir();
    await mkdir(DATA_DIR);
    await writeFile(join(DATA_DIR, 'secrets.json'), '{"environment":');
    expect(await refusal({ DATA_DIR })).toMatch(/secrets\.json cannot be read; restore it from your backup\.$/);
    const lost = await freshDataDir();
    await mkdir(lost);
    await writeFile(join(lost, 'postgres.path'), 'unused\n');
    expect(await refusal({ DATA_DIR: lost })).toMatch(
      /secrets\.json is missing\. Restore it from your backup, or remove /,
    );
  });

  it('refuses a database of the other environment, and one with other secrets', async () => {
    const database = await createDatabase();
    await claimEnvironment(database.url, { environment: 'LIVE', secretKey: SECRET });
    const given = { DATABASE_URL: database.url, SECRET_KEY: SECRET };
    expect(await refusal({ DATA_DIR: await freshDataDir(), ...given })).toBe(
      'This database belongs to a LIVE environment, but ENVIRONMENT is TEST.',
    );
    const other = { ...given, ENVIRONMENT: 'LIVE', SECRET_KEY: `${SECRET}!` };
    expect(await refusal({ DATA_DIR: await freshDataDir(), ...other })).toMatch(
      /^This database was created with a different SECRET_KEY\./,
    );
    await database.drop();
  });

  it('refuses other secrets, missing secrets, and an older version before it writes anything', async () => {
    const database = await createDatabase();
    await claimEnvironment(database.url, { environment: 'TEST', secretKey: SECRET });
    const pool = openPool(database.ownerUrl);
    const names = 'SELECT migration_name FROM _prisma_migrations ORDER BY 1';
    // Makes the latest migration pending again. The server must refuse to start before it applies this migration.
    await pool.query(
      `DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM (${names}) n)`,
    );
    const { rows: before } = await pool.query(names);
    const given = { DATABASE_URL: database.ownerUrl };
    for (const secrets of [{ SECRET_KEY: `${SECRET}!` }, {} as Record<string, string>]) {
      expect(await refusal({ DATA_DIR: await freshDataDir(), ...given, ...secrets })).toBe(
        'This database was created with a different SECRET_KEY. Set SECRET_KEY to that key.',
      );
    }
    expect((await pool.query(names)).rows).toEqual(before);
    await pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '2999_later', now())`,
    );
    expect(await refusal({ DATA_DIR: await freshDataDir(), ...given, SECRET_KEY: SECRET })).toBe(
      'This database belongs to a newer version, which has added the migration 2999_later. Use that version.',
    );
    expect((await pool.query('SELECT count(*)::int AS count FROM tenants')).rows).toEqual([{ count: 0 }]);
    await pool.end();
    await database.drop();
  });

  it('refuses a data directory of a newer version before it installs or builds anything', async () => {
    const DATA_DIR = await freshDataDir();
    await mkdir(DATA_DIR);
    const file = join(DATA_DIR, 'release.json');
    await writeFile(file, JSON.stringify({ version: '9.0.0', migration: '2999_later' }));
    expect(await refusedCommand({ DATA_DIR })).toBe(
      `Version 9.0.0 has used ${DATA_DIR}, and added the migration 2999_later. This version is older: start version 9.0.0 or a newer one. If an older backup was restored since, delete ${file}.`,
    );
    expect(await readdir(DATA_DIR)).toEqual(['release.json']);
  });

  it('requires SECRET_KEY if the first start with the data directory had one', async () => {
    const DATA_DIR = await freshDataDir();
    await mkdir(DATA_DIR);
    const text = JSON.stringify({ environment: 'TEST', postgres: { password: 'unused', cluster_id: 'unused' } });
    await writeFile(join(DATA_DIR, 'secrets.json'), text);
    expect(await refusal({ DATA_DIR })).toBe(
      `SECRET_KEY must be set, because it was set at the first start with ${DATA_DIR}.`,
    );
    expect(await readFile(join(DATA_DIR, 'secrets.json'), 'utf8')).toBe(text);
  });

  it('reports a role without rights, and says how to grant them', async () => {
    const database = await createDatabase();
    const pool = openPool(database.adminUrl, 1);
    const url = new URL(database.url);
    const role = `powerless_${process.pid}`;
    Object.assign(url, { username: role, password: 'hidden' });
    await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'hidden'`);
    await pool.query(`GRANT CONNECT ON DATABASE ${url.pathname.slice(1)} TO ${role}`);
    const said = `The role ${role} lacks privileges that a server needs. Run npm run migrate first, with MIGRATION_DATABASE_URL set to a URL of the role that owns the database.`;
    expect(await refusal({ DATA_DIR: await freshDataDir(), DATABASE_URL: url.href })).toBe(said);
    await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await pool.end();
    await database.drop();
  });

  it('reports an unreachable database without its password', async () => {
    const DATABASE_URL = 'postgresql://somebody:hidden@127.0.0.1:1/nothing';
    const said = await refusal({ DATA_DIR: await freshDataDir(), DATABASE_URL });
    expect(said).toMatch(/^The database cannot be reached/);
    expect(said).not.toContain('hidden');
  });
});
