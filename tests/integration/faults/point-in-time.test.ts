import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { spawnPostmaster, stopPostmaster } from '@/lib/platform/postgres/postmaster';
import { freePort } from '@/tests/support/free-port';
import { queryOnce, startPostgres } from '@/tests/support/postgres-restart';
import { SOAK } from '@/tests/support/soak';
import { copyFiles } from '@/tests/support/standby';
import { until } from '@/tests/support/until';

const PROGRAM = 'deploy/postgresql/archive-wal';
const run = promisify(execFile);

test('the program of the archive copies a file once, accepts a repetition, and refuses another file of the name', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'archive-'));
  try {
    const archive = join(directory, 'wal');
    const [one, other] = [join(directory, 'one'), join(directory, 'other')];
    await writeFile(one, 'the log');
    await writeFile(other, 'another log');
    const program = (from: string) => run(PROGRAM, [from, '000000010000000000000001', archive]);
    await expect(program(one)).rejects.toMatchObject({ code: expect.any(Number) });
    await mkdir(archive);
    await program(one);
    await program(one);
    await expect(program(other)).rejects.toMatchObject({ code: 1 });
    expect(await readdir(archive)).toEqual(['000000010000000000000001']);
    expect(await readFile(join(archive, '000000010000000000000001'), 'utf8')).toBe('the log');
  } finally {
    await rm(directory, { recursive: true });
  }
});

/** Follows docs/point-in-time.md with the tools that the embedded PostgreSQL has. */
async function returnToMoment(): Promise<void> {
  const primary = await startPostgres();
  const { parent, owner } = primary.layout;
  const own = async (path: string) => {
    if (owner) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, path]);
  };
  try {
    const [archive, program] = [join(parent, 'wal'), join(parent, 'archive-wal')];
    await mkdir(archive, { mode: 0o700 });
    // The user of PostgreSQL may not be able to read the repository.
    await copyFile(PROGRAM, program);
    for (const path of [archive, program]) await own(path);
    await primary.query('ALTER SYSTEM SET archive_mode = on');
    await primary.query(`ALTER SYSTEM SET archive_command = '${program} %p %f ${archive}'`);
    await primary.stop('fast');
    await primary.start();
    await primary.query('CREATE TABLE moments (name text, at timestamptz DEFAULT clock_timestamp())');
    const layout = {
      ...primary.layout,
      cluster: join(parent, 'returned'),
      logFile: `${primary.layout.logFile}.returned`,
    };
    await copyFiles(primary, layout.cluster);
    await primary.query(`INSERT INTO moments (name) VALUES ('kept')`);
    await primary.query('SELECT pg_sleep(0.1)');
    const { rows } = await primary.query('SELECT clock_timestamp()::text AS moment');
    await primary.query('SELECT pg_sleep(0.1)');
    await primary.query(`INSERT INTO moments (name) VALUES ('a mistake')`);
    const { rows: switched } = await primary.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    await until(
      () => readdir(archive),
      (names) => names.includes(switched[0].name),
    );
    const settings = [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${rows[0].moment}'`,
      `recovery_target_action = 'promote'`,
      'archive_mode = off',
    ];
    await appendFile(join(layout.cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    await writeFile(join(layout.cluster, 'recovery.signal'), '');
    await own(layout.cluster);
    const port = await freePort();
    const child = await spawnPostmaster(layout, port, AbortSignal.timeout(60_000));
    if (typeof child === 'string') throw new Error(child);
    const exited = once(child, 'exit');
    const url = Object.assign(new URL(primary.adminUrl), { port: String(port) }).href;
    await until(
      async () => (await queryOnce(url, 'SELECT pg_is_in_recovery() AS recovering')).rows[0].recovering as boolean,
      (recovering) => !recovering,
    );
    const found = await queryOnce(url, 'SELECT name FROM moments ORDER BY at');
    await stopPostmaster(child.pid ?? 0);
    await exited;
    expect(found.rows).toEqual([{ name: 'kept' }]);
    expect((await primary.query('SELECT name FROM moments')).rowCount).toBe(2);
  } finally {
    // With its directory, the copy and the archive are deleted too.
    await primary.destroy();
  }
}

if (SOAK) test('an archive of the log returns the data to a moment between two transactions', returnToMoment);
