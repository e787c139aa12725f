import { startListener, stopListener } from './cache/listener';
import { systemClock } from './clock';
import { env, schedulerInUse } from './env';
import { log } from './log';
import { flushLines } from './request-log/buffer';
import { resetIfDue } from './sandbox/reset';
import { systemResolve } from './webhooks/addresses';
import type { Courier } from './webhooks/deliver';
import { createSender } from './webhooks/send';
import { startWorker, type Worker } from './webhooks/worker';

/** Milliseconds between looks for jobs whose time has come. */
const JOBS_EVERY = 60_000;

let worker: Worker | null = null;
let jobs: NodeJS.Timeout | null = null;

/** Returns what this deployment's deliveries are made with. */
export function createCourier(): Courier {
  const allowLoopback = env().WEBHOOKS_ALLOW_LOOPBACK === '1';
  return { sender: createSender({ allowLoopback, resolve: systemResolve }), clock: systemClock, random: Math.random };
}

/** Starts what runs beside the requests of this process. */
export function startBackground(): void {
  startListener();
  if (schedulerInUse() !== 'embedded') return;
  worker = startWorker(createCourier());
  jobs = setInterval(() => void runJobs(systemClock()), JOBS_EVERY);
}

/** Does what the time has come for; every process may try, one does it. */
async function runJobs(now: Date): Promise<void> {
  try {
    await resetIfDue(now);
  } catch (error) {
    log().error({ err: error }, 'a job failed');
  }
}

/** Stops it; resolves when what was buffered is written. */
export async function stopBackground(): Promise<void> {
  if (jobs) clearInterval(jobs);
  await worker?.stop();
  await flushLines();
  await stopListener();
}
