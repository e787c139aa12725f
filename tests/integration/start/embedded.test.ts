import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { grantServer } from '@/lib/operations/environment/grants';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { type Embedded, startEmbedded } from '@/lib/platform/postgres/embedded';
import { findLayout } from '@/lib/platform/postgres/layout';
import { clusterOf, freshDataDir, removeDataDirs } from '@/tests/support/launcher';
import { until } from '@/tests/support/until';

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

function lastOf(all: Embedded[]): Embedded {
  const last = all.at(-1);
  if (!last) throw new Error('no server runs');
  return last;
}

afterAll(async () => {
  for (const embedded of running) await embedded.stop();
  await removeDataDirs();
});

// Creating a cluster takes seconds, so most tests use the one of the previous test.
/**
 * Returns the id of a process that has exited, and whose parent does not ask for its status until the test ends. It
 * belongs to the user of the database server, as that of a killed one would.
 */
async function zombie(dataDir: string): Promise<number> {
  const { owner } = await findLayout(dataDir, secrets.clusterId);
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'], { ...owner, cwd: '/' });
  onTestFinished(() => void parent.kill());
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  await until(
    () => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    (command) => command === '',
  );
  return pid;
}

describe('the embedded PostgreSQL', () => {
  let kept = '';

  it('replaces an incomplete cluster of a killed start', async () => {
    kept = await freshDataDir();
    await mkdir(kept);
    const layout = await findLayout(kept, secrets.clusterId);
    const half = join(layout.parent, 'cluster.new-killed');
    await mkdir(half);
    await writeFile(join(half, 'PG_VERSION'), '18\n');
    await start(kept);
    expect(existsSync(half)).toBe(false);
  });

  it('listens on the loopback interface only, requires its password, and runs as a user without access to the data directory', async () => {
    const { url } = lastOf(running);
    for (const setting of ['fsync', 'synchronous_commit']) expect(await ask(url, `SHOW ${setting}`)).toEqual(['on']);
    expect(await ask(url, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
    expect(await ask(url, 'SHOW server_encoding')).toEqual(['UTF8']);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    const cluster = await clusterOf(kept);
    const { uid, mode } = await stat(cluster);
    expect(uid).not.toBe(0);
    expect(mode & 0o777).toBe(0o700);
    expect(cluster.startsWith(kept)).toBe(process.getuid?.() !== 0);
    expect(await readFile(join(kept, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
  });

  it('recovers all committed data after a kill', async () => {
    const first = lastOf(running);
    await ask(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start(kept);
    expect(await ask(second.ownerUrl, 'SELECT answer FROM kept')).toEqual([42]);
  });

  it('stops the server that a killed start left running, and starts its own', async () => {
    const orphan = lastOf(running);
    const lines: string[] = [];
    const second = await start(kept, (line) => lines.push(line));
    await orphan.exited;
    expect(lines).toEqual(['Stopping the database server that an earlier run left behind …']);
    expect(await ask(second.url, 'SELECT 1')).toEqual([1]);
    await second.stop();
  });

  it.each([
    ['belongs to another process', async () => process.pid],
    ['is that of a process that nobody has reaped', zombie],
  ])('starts when the process id of a dead server %s', async (_, pidOf) => {
    const cluster = await clusterOf(kept);
    const lines = `${await pidOf(kept)}\n${cluster}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`;
    await writeFile(join(cluster, 'postmaster.pid'), lines);
    const { url, stop } = await start(kept);
    expect(await ask(url, 'SELECT 1')).toEqual([1]);
    await stop();
  });

  it('does not start an empty database in place of a missing one', async () => {
    await lastOf(running).stop();
    await rm((await findLayout(kept, secrets.clusterId)).cluster, { recursive: true });
    await expect(start(kept)).rejects.toThrow(
      /^The data directory .* records that its database is in .*, but it is not there\. Restore .* from your backup, or remove .* to create a new, empty database\.$/,
    );
  });

  it('has roles that are no superusers, of which the servers’ owns nothing', async () => {
    const { url, ownerUrl } = await start(await freshDataDir());
    const owner = new URL(ownerUrl).username;
    for (const role of [url, ownerUrl])
      expect(
        await ask(
          role,
          `SELECT rolsuper OR rolcreaterole OR rolcreatedb <> (rolname = '${owner}') FROM pg_roles WHERE rolname = current_user`,
        ),
      ).toEqual([false]);
    await applyMigrations(ownerUrl);
    for (const refused of [
      'SELECT FROM pg_authid',
      'SELECT FROM tenants',
      'DROP TABLE tenants',
      'CREATE TABLE other ()',
    ])
      await expect(ask(url, refused)).rejects.toMatchObject({ code: '42501' });
    await grantServer(ownerUrl, url);
    expect(await ask(url, 'SELECT count(*)::int FROM tenants')).toEqual([0]);
    await expect(ask(url, 'TRUNCATE tenants CASCADE')).rejects.toMatchObject({ code: '42501' });
    const other = new URL(url);
    other.username = 'partner_booking';
    await expect(ask(other.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });
});
