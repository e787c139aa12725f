import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { findLayout } from '@/lib/platform/postgres/layout';
import { spawnPostmaster, stopPostmaster } from '@/lib/platform/postgres/postmaster';
import { until } from './until';

const secrets = { password: 'a password for tests only', clusterId: 'restart' };
const log = () => {};

/** A PostgreSQL server for one test, with a migrated database. */
export type OwnPostgres = {
  url: string;
  /** Stops the server. `fast` closes every session and shuts down cleanly. `immediate` simulates a crash. */
  stop: (mode: 'fast' | 'immediate') => Promise<void>;
  /** Starts the stopped server again on the same port. */
  start: () => Promise<void>;
  /** Stops the server and deletes its data. */
  destroy: () => Promise<void>;
};

/** Starts a PostgreSQL server that the test may restart. fsync is on, as in production. */
export async function startPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-booking-restart-'));
  const { signal } = new AbortController();
  const first = await startEmbedded({ dataDir, secrets, log, signal });
  const layout = await findLayout(dataDir, secrets.clusterId);
  await applyMigrations(first.url);
  let running: { pid: number; exited: Promise<unknown> } = first;
  const stop = async (mode: 'fast' | 'immediate') => {
    if (mode === 'fast') await stopPostmaster(running.pid);
    else process.kill(running.pid, 'SIGQUIT');
    await running.exited;
  };
  const spawn = async () => {
    const child = await spawnPostmaster(layout, Number(new URL(first.url).port), signal);
    // After a crash, the processes of the old server may still be ending. The new server then fails to start, `child`
    // is the error message instead of a process, and `start` tries again.
    return typeof child === 'string' ? child : { pid: child.pid ?? 0, exited: once(child, 'exit') };
  };
  return {
    url: first.url,
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
