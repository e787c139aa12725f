import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { grantServer } from '@/lib/operations/environment/grants';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { type Embedded, startEmbedded } from '@/lib/platform/postgres/embedded';
import { findLayout } from '@/lib/platform/postgres/layout';
import { clusterOf, freshDataDir, removeDataDirs } from '@/tests/support/launcher';

const secrets = { password: 'a password for tests only', clusterId: 'test' };
const running: Embedded[] = [];

async function start(dataDir: string, log: (line: string) => void = () => {}): Promise<Embedded> {
  await mkdir(dataDir, { recursive: true });
  const signal = new AbortController().signal;
  const embedded = await startEmbedded({ dataDir, secrets, log, signal });
  running.push(embedded);
  return embedded;
}

async function ask(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(query);
    return (rows ?? []).flatMap((row) => Object.values(row));
  } finally {
    await client.end();
  }
}

afterAll(async () => {
  for (const embedded of running) await embedded.stop();
  await removeDataDirs();
});

describe('the embedded PostgreSQL', () => {
  it('keeps committed data, listens on the loopback interface only, and requires its password', async () => {
    const { url } = await start(await freshDataDir());
    for (const setting of ['fsync', 'synchronous_commit']) expect(await ask(url, `SHOW ${setting}`)).toEqual(['on']);
    expect(await ask(url, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
    expect(await ask(url, 'SHOW server_encoding')).toEqual(['UTF8']);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('has roles that are no superusers, and hands over the data of an early version', async () => {
    const dataDir = await freshDataDir();
    const first = await start(dataDir);
    const [server, owner] = [first.url, first.ownerUrl].map((url) => new URL(url).username);
    // Recreates an early version's data directory: the superuser owns all objects, and the two other roles do not
    // exist.
    await ask(
      first.adminUrl,
      `REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP OWNED BY ${owner}, ${server}; DROP ROLE ${owner}, ${server};
       CREATE EXTENSION btree_gist; CREATE TYPE word AS ENUM ('one');
       CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
       CREATE TABLE days (id serial, name word, EXCLUDE USING gist (id WITH =)) PARTITION BY RANGE (id);
       CREATE TABLE day PARTITION OF days FOR VALUES FROM (1) TO (9);
       CREATE TRIGGER nothing BEFORE INSERT ON days FOR EACH ROW EXECUTE FUNCTION nothing()`,
    );
    await first.stop();
    const { url, ownerUrl } = await start(dataDir);
    for (const role of [url, ownerUrl])
      expect(
        await ask(
          role,
          `SELECT rolsuper OR rolcreaterole OR rolcreatedb <> (rolname = '${owner}') FROM pg_roles WHERE rolname = current_user`,
        ),
      ).toEqual([false]);
    await ask(
      ownerUrl,
      `INSERT INTO days (name) VALUES ('one'); ALTER TYPE word ADD VALUE 'two'; DROP TABLE day;
       CREATE TABLE day PARTITION OF days FOR VALUES FROM (1) TO (9); DROP TRIGGER nothing ON days; DROP FUNCTION nothing()`,
    );
    for (const refused of ['SELECT FROM pg_authid', 'SELECT FROM days', 'DROP TABLE days', 'CREATE TABLE other ()'])
      await expect(ask(url, refused)).rejects.toMatchObject({ code: '42501' });
    const other = new URL(url);
    other.username = 'partner_booking';
    await expect(ask(other.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('gives the servers of a version with two roles access to the data of a version with one role', async () => {
    const dataDir = await freshDataDir();
    const first = await start(dataDir);
    const server = new URL(first.url).username;
    // Recreates the data directory of an earlier version, in which servers connected with the role that owns the
    // database.
    await ask(first.adminUrl, `DROP OWNED BY ${server}; DROP ROLE ${server}`);
    await applyMigrations(first.ownerUrl);
    await first.stop();
    const { url, ownerUrl } = await start(dataDir);
    await expect(ask(url, 'SELECT FROM tenants')).rejects.toMatchObject({ code: '42501' });
    await grantServer(ownerUrl, url);
    expect(await ask(url, 'SELECT count(*)::int FROM tenants')).toEqual([0]);
    await expect(ask(url, 'TRUNCATE tenants CASCADE')).rejects.toMatchObject({ code: '42501' });
  });

  it('recovers all committed data after a kill', async () => {
    const dataDir = await freshDataDir();
    const first = await start(dataDir);
    await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start(dataDir);
    expect(await ask(second.ownerUrl, 'SELECT answer FROM kept')).toEqual([42]);
  });

  it('stops the server that a killed start left running, and starts its own', async () => {
    const dataDir = await freshDataDir();
    const orphan = await start(dataDir);
    const lines: string[] = [];
    const second = await start(dataDir, (line) => lines.push(line));
    await orphan.exited;
    expect(lines).toEqual(['Stopping the database server that an earlier run left behind …']);
    expect(await ask(second.url, 'SELECT 1')).toEqual([1]);
  });

  it('starts when the process id of a dead server belongs to another process', async () => {
    const dataDir = await freshDataDir();
    await (await start(dataDir)).stop();
    const file = join(await clusterOf(dataDir), 'postmaster.pid');
    await writeFile(file, `${process.pid}\n${await clusterOf(dataDir)}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`);
    expect(await ask((await start(dataDir)).url, 'SELECT 1')).toEqual([1]);
  });

  it('replaces an incomplete cluster of a killed start', async () => {
    const dataDir = await freshDataDir();
    await mkdir(dataDir);
    const layout = await findLayout(dataDir, secrets.clusterId);
    const half = join(layout.parent, 'cluster.new-killed');
    await mkdir(half);
    await writeFile(join(half, 'PG_VERSION'), '18\n');
    await start(dataDir);
    expect(existsSync(half)).toBe(false);
  });

  it('does not start an empty database in place of a missing one', async () => {
    const dataDir = await freshDataDir();
    await (await start(dataDir)).stop();
    await rm((await findLayout(dataDir, secrets.clusterId)).cluster, { recursive: true });
    await expect(start(dataDir)).rejects.toThrow(
      /^The data directory .* records that its database is in .*, but it is not there\. Restore .* from your backup, or remove .* to create a new, empty database\.$/,
    );
  });

  it('runs as an unprivileged user, who needs no access to the data directory', async () => {
    const dataDir = await freshDataDir();
    const embedded = await start(dataDir);
    const cluster = await clusterOf(dataDir);
    const { uid, mode } = await stat(cluster);
    expect(uid).not.toBe(0);
    expect(mode & 0o777).toBe(0o700);
    expect(cluster.startsWith(dataDir)).toBe(process.getuid?.() !== 0);
    expect(await ask(embedded.url, 'SELECT 1')).toEqual([1]);
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
  });
});
