import { startListener, stopListener } from './cache/listener';
import { systemClock } from './clock';
import { env, schedulerInUse } from './env';
import { log } from './log';
import { flushLines } from './request-log/buffer';
import { prune } from './retention/prune';
import { resetIfDue } from './sandbox/reset';
import { systemResolve } from './webhooks/addresses';
import type { Courier } from './webhooks/deliver';
import { createSender } from './webhooks/send';
import { startWorker, type Worker } from './webhooks/worker';

/** Milliseconds between looks for a nightly reset, and between two prunings. */
const RESET_EVERY = 60_000;
const PRUNE_EVERY = 3_600_000;

let worker: Worker | null = null;
let jobs: NodeJS.Timeout[] = [];

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
  jobs = [every(RESET_EVERY, resetIfDue), every(PRUNE_EVERY, prune)];
}

/** Does a job now and then; every process may try at the same time. */
function every(milliseconds: number, job: (now: Date) => Promise<unknown>): NodeJS.Timeout {
  const run = () => job(systemClock()).catch((error: unknown) => log().error({ err: error }, 'a job failed'));
  return setInterval(run, milliseconds);
}

/** Stops it; resolves when what was buffered is written. */
export async function stopBackground(): Promise<void> {
  jobs.forEach(clearInterval);
  await worker?.stop();
  await flushLines();
  await stopListener();
}
