import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { spawnPostmaster, stopPostmaster } from '@/lib/platform/postgres/postmaster';
import { freePort } from './free-port';
import { type OwnPostgres, queryOnce } from './postgres-restart';

export type Standby = {
  url: string;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** Becomes the primary. */
  promote: () => Promise<void>;
  /** Deletes its data. */
  destroy: () => Promise<void>;
};

/** Milliseconds. */
const START_WITHIN = 30_000;

/** In `synchronous_standby_names`. */
export const STANDBY = 'standby';

export async function startStandby(primary: OwnPostgres): Promise<Standby> {
  const { parent, owner } = primary.layout;
  const layout = { ...primary.layout, cluster: join(parent, STANDBY), logFile: `${primary.layout.logFile}.${STANDBY}` };
  await copyCluster(primary, layout.cluster);
  if (owner) await promisify(execFile)('chown', ['-R', `${owner.uid}:${owner.gid}`, layout.cluster]);
  const port = await freePort();
  let running = { pid: 0, exited: Promise.resolve() };
  const start = async () => {
    const child = await spawnPostmaster(layout, port, AbortSignal.timeout(START_WITHIN));
    if (typeof child === 'string') throw new Error(child);
    running = { pid: child.pid ?? 0, exited: once(child, 'exit').then(() => undefined) };
  };
  const stop = async () => {
    await stopPostmaster(running.pid);
    await running.exited;
  };
  await start().catch(async (error: unknown) => {
    throw new Error(await readFile(layout.logFile, 'utf8'), { cause: error });
  });
  return {
    url: withPort(primary.url, port),
    stop,
    start,
    promote: async () => {
      await queryOnce(withPort(primary.adminUrl, port), 'SELECT pg_promote()');
    },
    destroy: async () => {
      await stop();
      await rm(layout.cluster, { recursive: true, force: true });
    },
  };
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

/**
 * Makes a base backup in a new directory without the write-ahead log, as `pg_basebackup --wal-method=none` does, which
 * the embedded PostgreSQL lacks.
 */
export async function copyFiles({ adminUrl, layout }: OwnPostgres, target: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`SELECT pg_backup_start('copy', fast => true)`);
    await promisify(execFile)('cp', ['-a', layout.cluster, target]);
    const { rows } = await admin.query<{ labelfile: string }>(
      'SELECT * FROM pg_backup_stop(wait_for_archive => false)',
    );
    await writeFile(join(target, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await admin.end();
  }
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(target, name), { force: true });
  for (const name of await readdir(join(target, 'pg_wal'))) {
    const path = join(target, 'pg_wal', name);
    if ((await stat(path)).isFile()) await rm(path);
  }
  await rm(join(target, 'pg_replslot'), { recursive: true });
  await mkdir(join(target, 'pg_replslot'), { mode: 0o700 });
}

/** A replication slot keeps the write-ahead log since the start of the copy. */
async function copyCluster(primary: OwnPostgres, target: string): Promise<void> {
  const { adminUrl } = primary;
  await queryOnce(adminUrl, `SELECT pg_create_physical_replication_slot('${STANDBY}', true)`);
  await copyFiles(primary, target);
  await writeFile(join(target, 'standby.signal'), '');
  const { port, username, password } = new URL(adminUrl);
  // The password contains spaces.
  const secret = `''${decodeURIComponent(password)}''`;
  const connection = `host=127.0.0.1 port=${port} user=${username} password=${secret} application_name=${STANDBY}`;
  const settings = [`primary_conninfo = '${connection}'`, `primary_slot_name = '${STANDBY}'`];
  await appendFile(join(target, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
}
