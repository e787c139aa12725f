import { startListener, stopListener } from './cache/listener';
import { systemClock } from './clock';
import { env, schedulerInUse } from './env';
import { flushLines } from './request-log/buffer';
import { systemResolve } from './webhooks/addresses';
import type { Courier } from './webhooks/deliver';
import { createSender } from './webhooks/send';
import { startWorker, type Worker } from './webhooks/worker';

let worker: Worker | null = null;

/** Returns what this deployment's deliveries are made with. */
export function createCourier(): Courier {
  const allowLoopback = env().WEBHOOKS_ALLOW_LOOPBACK === '1';
  return { sender: createSender({ allowLoopback, resolve: systemResolve }), clock: systemClock, random: Math.random };
}

/** Starts what runs beside the requests of this process. */
export function startBackground(): void {
  startListener();
  if (schedulerInUse() === 'embedded') worker = startWorker(createCourier());
}

/** Stops it; resolves when what was buffered is written. */
export async function stopBackground(): Promise<void> {
  await worker?.stop();
  await flushLines();
  await stopListener();
}
