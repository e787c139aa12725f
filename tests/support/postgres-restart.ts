import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { grantServer } from '@/lib/operations/environment/grants';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { findLayout, type Layout } from '@/lib/platform/postgres/layout';
import { spawnPostmaster, stopPostmaster } from '@/lib/platform/postgres/postmaster';
import { until } from './until';

const secrets = { password: 'a password for tests only', clusterId: 'restart' };
const log = () => {};

export type OwnPostgres = {
  url: string;
  adminUrl: string;
  layout: Layout;
  query: (sql: string) => Promise<pg.QueryResult>;
  /** `fast` closes sessions cleanly, `immediate` simulates a crash, `kill` sends SIGKILL to the main process. */
  stop: (mode: 'fast' | 'immediate' | 'kill') => Promise<void>;
  start: () => Promise<void>;
  /** Deletes its data. */
  destroy: () => Promise<void>;
};

export async function queryOnce(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Only one test uses and restarts it. As in production, `fsync` is on. */
export async function startPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-booking-restart-'));
  const { signal } = new AbortController();
  const first = await startEmbedded({ dataDir, secrets, log, signal });
  const layout = await findLayout(dataDir, secrets.clusterId);
  await applyMigrations(first.ownerUrl);
  await grantServer(first.ownerUrl, first.url);
  let running: { pid: number; exited: Promise<unknown> } = first;
  const stop = async (mode: 'fast' | 'immediate' | 'kill') => {
    if (mode === 'fast') await stopPostmaster(running.pid);
    else process.kill(running.pid, mode === 'kill' ? 'SIGKILL' : 'SIGQUIT');
    await running.exited;
  };
  const spawn = async () => {
    const child = await spawnPostmaster(layout, Number(new URL(first.url).port), signal);
    // An error message if processes of a crashed server are still running.
    return typeof child === 'string' ? child : { pid: child.pid ?? 0, exited: once(child, 'exit') };
  };
  return {
    url: first.url,
    adminUrl: first.adminUrl,
    layout,
    query: (sql) => queryOnce(first.adminUrl, sql),
    stop,
    start: async () => {
      const started = await until(spawn, (result) => typeof result !== 'string');
      if (typeof started !== 'string') running = started;
    },
    destroy: async () => {
      await stop('fast');
      await first.destroy();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
