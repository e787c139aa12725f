import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { aggregateForWorkers } from '@/lib/operations/metrics/cluster';
import { workerEnvironment } from '@/lib/platform/cluster';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { freePort } from '@/lib/platform/postgres/postmaster';
import { StartError } from '@/lib/platform/postgres/start-error';
import { countForWorkers } from '@/lib/platform/rate-limit/rate-limit';
import { release } from '@/lib/platform/release';
import { type StopKind, stopOnSignals } from './signals';

/** Milliseconds until a worker is replaced. The pause doubles each time a worker runs for less than STABLE. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Milliseconds, after which the next pause is FIRST_PAUSE again. */
const STABLE = 60_000;
/** Milliseconds from the end of DRAIN_DELAY until this process exits and kills the remaining workers. */
const EXIT_WITHIN = 9_600;

/** The worker in the first slot also delivers webhooks and runs jobs. */
type Slot = { index: number; worker: Worker | null; startedAt: number; pause: number };

type Primary = { slots: Slot[]; port: number; stopping: boolean; restarting: boolean };

/**
 * Runs the workers of a server on one port, replaces those that end, and counts requests for the rate limits. SIGUSR2
 * restarts all workers, one at a time. SIGTERM stops them.
 * @throws StartError if one of the first workers does not start
 */
export async function runPrimary(workers: number): Promise<void> {
  const slots = Array.from({ length: workers }, (_, index): Slot => newSlot(index));
  const { PORT, DRAIN_DELAY } = env();
  // With port 0 for each worker, a later one would get a different port.
  const primary: Primary = { slots, port: PORT || (await freePort()), stopping: false, restarting: false };
  countForWorkers();
  aggregateForWorkers();
  stopOnSignals(DRAIN_DELAY * 1000 + EXIT_WITHIN, () => stopAll(primary));
  process.on('exit', () => {
    for (const worker of running()) worker.process.kill('SIGKILL');
  });
  process.on('SIGUSR2', () => void restartAll(primary));
  cluster.on('exit', (worker, code, signal) => {
    const slot = slots.find((one) => one.worker === worker);
    if (!slot || primary.stopping) return;
    slot.worker = null;
    log().error({ worker: worker.process.pid, ended: signal ?? code }, 'a worker ended and will be replaced');
    void replace(primary, slot);
  });
  // Alone, so that a problem such as a taken port is reported once.
  for (const slot of slots.slice(0, 1)) await startWorker(primary, slot);
  await Promise.all(slots.slice(1).map((slot) => startWorker(primary, slot)));
  log().info({ port: primary.port, workers, ...release() }, 'all workers are listening');
  process.send?.({ type: 'ready', port: primary.port });
}

function newSlot(index: number): Slot {
  return { index, worker: null, startedAt: 0, pause: FIRST_PAUSE };
}

function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [worker] : []));
}

/** @throws StartError if the worker ends before it listens */
async function startWorker({ slots, port }: Primary, slot: Slot): Promise<void> {
  slot.startedAt = performance.now();
  const environment = workerEnvironment(slots.length, env().DATABASE_POOL, slot.index === 0);
  const worker = cluster.fork({ ...environment, PORT: String(port) });
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: { type?: string }) => message.type === 'ready' && resolve());
    worker.once('exit', () => reject(new StartError('A worker did not start.')));
  });
  slot.worker = worker;
}

/** If the worker ends before it listens, starts another one after a pause. */
async function replace(primary: Primary, slot: Slot): Promise<void> {
  while (!primary.stopping && !slot.worker) {
    const stable = performance.now() - slot.startedAt > STABLE;
    slot.pause = stable ? FIRST_PAUSE : Math.min(2 * slot.pause, LONGEST_PAUSE_MS);
    await delay(slot.pause);
    if (primary.stopping || slot.worker) return;
    await startWorker(primary, slot).catch((error: unknown) => log().error({ err: error }, 'a worker did not start'));
  }
}

/** Each worker stops only after its successor listens. */
async function restartAll(primary: Primary): Promise<void> {
  if (primary.stopping || primary.restarting) return;
  primary.restarting = true;
  try {
    for (const slot of primary.slots) {
      const old = slot.worker;
      await startWorker(primary, slot);
      if (old?.isConnected()) await stopWorker(old, 'retire');
    }
    log().info('all workers were restarted');
  } catch (error) {
    log().error({ err: error }, 'the restart failed: the workers that it did not replace keep running');
  } finally {
    primary.restarting = false;
  }
}

async function stopAll(primary: Primary): Promise<void> {
  primary.stopping = true;
  await Promise.all(running().map((worker) => stopWorker(worker, 'stop')));
}

async function stopWorker(worker: Worker, type: StopKind): Promise<void> {
  const ended = once(worker, 'exit');
  // A worker that has just ended cannot receive the message.
  worker.send({ type }, () => undefined);
  await ended;
}
