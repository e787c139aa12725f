import { counters, countJob } from '@/lib/activity/metrics/counters';
import { flushLines } from '@/lib/activity/request-log/buffer';
import { startListener, stopListener } from '@/lib/platform/cache/listener';
import { systemClock } from '@/lib/platform/clock';
import { env, schedulerInUse } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { systemResolve } from '@/lib/webhooks/addresses';
import type { DeliveryDependencies } from '@/lib/webhooks/deliver';
import { createSender } from '@/lib/webhooks/send';
import { startWorker, type Worker } from '@/lib/webhooks/worker';
import { prune } from './retention/prune';
import { resetIfDue } from './sandbox/reset';

/** Milliseconds between looks for a nightly reset, and between two prunings. */
const RESET_EVERY = 60_000;
const PRUNE_EVERY = 3_600_000;

type Job = { stop: () => Promise<void> };
type JobName = 'reset' | 'prune';

let worker: Worker | null = null;
let jobs: Job[] = [];

/** Returns what this deployment's deliveries are made with. */
export function deliveryDependencies(): DeliveryDependencies {
  const allowLoopback = env().WEBHOOKS_ALLOW_LOOPBACK === '1';
  return { sender: createSender({ allowLoopback, resolve: systemResolve }), clock: systemClock, random: Math.random };
}

/** Starts what runs beside the requests of this process. */
export function startBackground(): void {
  // Now, not with the first request: it watches the event loop from here on.
  counters();
  startListener();
  if (schedulerInUse() !== 'embedded') return;
  worker = startWorker(deliveryDependencies());
  jobs = [every(PRUNE_EVERY, 'prune', prune)];
  // LIVE has no reset, not even one that does nothing.
  if (env().ENVIRONMENT === 'TEST') jobs.push(every(RESET_EVERY, 'reset', resetIfDue));
}

/** Does a job at once, as it may have been due while nobody ran, and then now and then; every process may try. */
function every(milliseconds: number, name: JobName, job: (now: Date) => Promise<unknown>): Job {
  let running = run(name, job);
  const timer = setInterval(() => {
    running = running.then(() => run(name, job));
  }, milliseconds);
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

async function run(name: JobName, job: (now: Date) => Promise<unknown>): Promise<void> {
  try {
    const result = await job(systemClock());
    countJob(name, 'done');
    log().debug({ job: name, result }, 'a job is done');
  } catch (error) {
    countJob(name, 'failed');
    log().error({ err: error, job: name }, 'a job failed');
  }
}

/** Stops it; resolves when what was buffered is written. */
export async function stopBackground(): Promise<void> {
  await Promise.all([worker?.stop(), ...jobs.map((job) => job.stop())]);
  await flushLines();
  await stopListener();
}
