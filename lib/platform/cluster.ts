import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { parseSettings } from './env';

/** 1 in the worker that delivers webhooks and runs jobs, 0 in the others. */
const SCHEDULER = 'SERVER_WORKER_SCHEDULES';

/** Applies if `WORKERS` is `auto`. */
const CONNECTIONS_PER_WORKER = 4;

/** Returns the number of workers. `auto`: one per CPU core, or fewer so that each has `CONNECTIONS_PER_WORKER`. */
export function workerCount({
  WORKERS,
  ENVIRONMENT,
  DATABASE_POOL,
}: Pick<ReturnType<typeof parseSettings>, 'WORKERS' | 'ENVIRONMENT' | 'DATABASE_POOL'>): number {
  const chosen = WORKERS ?? (ENVIRONMENT === 'LIVE' ? 'auto' : 1);
  if (chosen !== 'auto') return chosen;
  return Math.max(1, Math.min(availableParallelism(), Math.floor(DATABASE_POOL / CONNECTIONS_PER_WORKER)));
}

/** Returns whether this process is one of several workers that a primary process manages. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Returns whether this process delivers webhooks and runs jobs. Exactly one worker does. */
export function isScheduler(): boolean {
  return !cluster.isWorker || process.env[SCHEDULER] === '1';
}

/** Returns the environment of a worker: a single process with its share of the instance's connections. */
export function workerEnvironment(workers: number, pool: number, scheduler: boolean): Record<string, string> {
  return { WORKERS: '1', DATABASE_POOL: String(poolShare(workers, pool)), [SCHEDULER]: scheduler ? '1' : '0' };
}

/**
 * Returns the maximum number of database connections of one instance, each worker's polling connection included. While
 * SIGUSR2 replaces a worker, the old worker and its successor both have connections.
 */
export function requiredConnections(settings: Parameters<typeof workerCount>[0]): {
  serving: number;
  replacing: number;
} {
  const workers = workerCount(settings);
  const share = workers === 1 ? settings.DATABASE_POOL : poolShare(workers, settings.DATABASE_POOL);
  const serving = workers * (share + 1);
  return { serving, replacing: workers === 1 ? serving : serving + share + 1 };
}

const poolShare = (workers: number, pool: number) => Math.max(2, Math.floor(pool / workers));
