import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { parseSettings } from './env';
import { singleton } from './singleton';

/** An environment variable: 1 in the worker that delivers webhooks and runs jobs, 0 in the other workers. */
const SCHEDULER = 'SERVER_WORKER_SCHEDULES';

/** Minimum number of database connections per worker if `WORKERS` is `auto`. */
const CONNECTIONS_PER_WORKER = 4;

/**
 * Returns the number of worker processes of a server. `WORKERS` defaults to 1 in TEST and to `auto` in LIVE. With
 * `auto`, there is one worker per CPU core. If `DATABASE_POOL` has fewer than `CONNECTIONS_PER_WORKER` connections per
 * core, there are fewer workers.
 */
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

/**
 * Returns whether this process delivers webhooks and runs jobs. If there are several workers, exactly one of them
 * does.
 */
export function isScheduler(): boolean {
  return !cluster.isWorker || process.env[SCHEDULER] === '1';
}

/**
 * Returns the environment variables of a worker. They make it run as a single process, with its share of the instance's
 * connections.
 */
export function workerEnvironment(workers: number, pool: number, scheduler: boolean): Record<string, string> {
  return { WORKERS: '1', DATABASE_POOL: String(poolShare(workers, pool)), [SCHEDULER]: scheduler ? '1' : '0' };
}

/**
 * Returns the maximum number of database connections of one instance: the connections of the pool, and one connection
 * per worker that polls for changes. `serving` is the maximum in normal operation. `replacing` is the maximum while SIGUSR2
 * replaces a worker, because the old worker and its successor then both have connections.
 */
export function connectionCounts(settings: Parameters<typeof workerCount>[0]): { serving: number; replacing: number } {
  const workers = workerCount(settings);
  const share = workers === 1 ? settings.DATABASE_POOL : poolShare(workers, settings.DATABASE_POOL);
  const serving = workers * (share + 1);
  return { serving, replacing: workers === 1 ? serving : serving + share + 1 };
}

const poolShare = (workers: number, pool: number) => Math.max(2, Math.floor(pool / workers));

type Request = { request: string; id: number; input: unknown };
type Response = { response: number; output?: unknown; error?: string };
type Pending = { resolve: (output: unknown) => void; reject: (error: Error) => void };

function pendingCalls(): { next: number; calls: Map<number, Pending> } {
  return singleton('cluster:calls', () => {
    const calls = new Map<number, Pending>();
    process.on('message', (message: Partial<Response>) => {
      const pending = typeof message?.response === 'number' ? calls.get(message.response) : undefined;
      if (message.error !== undefined) pending?.reject(new Error(message.error));
      else pending?.resolve(message.output);
    });
    return { next: 1, calls };
  });
}

/**
 * Calls a function that the primary process registered with `serveWorkers`, and returns its result.
 * @param request the name of the function.
 * @param timeout milliseconds to wait for the result.
 * @throws Error if the function throws or does not return in time.
 */
export async function callPrimary<Output>(request: string, input: unknown, timeout: number): Promise<Output> {
  const pending = pendingCalls();
  const id = pending.next;
  pending.next += 1;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Output>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The primary process does not respond.')), timeout);
      pending.calls.set(id, { resolve: resolve as (output: unknown) => void, reject });
      process.send?.({ request, id, input } satisfies Request, (error: Error | null) => error && reject(error));
    });
  } finally {
    clearTimeout(timer);
    pending.calls.delete(id);
  }
}

/**
 * Registers a function of this primary process that workers can call with `callPrimary`.
 * @param request the name of the function.
 */
export function serveWorkers<Input, Output>(request: string, run: (input: Input) => Output | Promise<Output>): void {
  const respond = async (worker: Worker, { id, input }: Request) => {
    const response = await Promise.resolve()
      .then(() => run(input as Input))
      .then(
        (output): Response => ({ response: id, output }),
        (error: Error): Response => ({ response: id, error: error.message }),
      );
    // The worker may have exited while the function was running.
    if (worker.isConnected()) worker.send(response, () => undefined);
  };
  cluster.on('message', (worker, message: Partial<Request>) => {
    if (message?.request === request) void respond(worker, message as Request);
  });
}
