import type { Inngest } from 'inngest';
import { systemClock } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { type DispatchedDelivery, takeUndispatched, undoDispatch } from '@/lib/webhooks/dispatch';
import { createClient, deliveryDueEvent } from './client';
import { register } from './serve';

/**
 * Milliseconds between polls for due deliveries. With this interval, the first attempt of a delivery starts within
 * about a second after the delivery is created.
 */
const POLL_INTERVAL = 400;
/** Maximum number of milliseconds between retries while Inngest is unreachable. */
const MAX_PAUSE = 30_000;
/** Maximum number of events in one call to Inngest. */
const BATCH = 500;

/**
 * Registers the functions with Inngest, and dispatches due deliveries until `stop` is called. While Inngest is
 * unreachable, deliveries stay due. They are dispatched when Inngest is reachable again.
 */
export function startDispatcher(): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const client = createClient(signal);
  const running = Promise.all([
    repeat(signal, 'the functions could not be registered with Inngest', async () => {
      await register(client);
      return 'done';
    }),
    repeat(signal, 'due deliveries could not be dispatched to Inngest', () => dispatch(client)),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type Next = 'repeat' | 'pause' | 'done';

/**
 * Calls `work` until it returns `done` or the signal aborts. After each failure, logs `problem` and waits before the
 * next call. The wait doubles with each consecutive failure, up to `MAX_PAUSE`.
 */
async function repeat(signal: AbortSignal, problem: string, work: () => Promise<Next>): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const next = await work();
      failures = 0;
      if (next === 'done') return;
      if (next === 'pause') await pause(signal, POLL_INTERVAL);
    } catch (error) {
      if (signal.aborted) return;
      log().warn({ err: error }, problem);
      failures += 1;
      await pause(signal, Math.min(POLL_INTERVAL * 2 ** failures, MAX_PAUSE));
    }
  }
}

/** Returns a function that returns whether other deliveries have the same application as a delivery. */
function othersIn(deliveries: readonly DispatchedDelivery[]): (one: DispatchedDelivery) => boolean {
  const counts = new Map<string, number>();
  for (const { applicationId } of deliveries) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
  return ({ applicationId }) => (counts.get(applicationId) ?? 0) > 1;
}

async function dispatch(client: Inngest): Promise<Next> {
  const deliveries = await takeUndispatched(systemClock(), BATCH);
  if (deliveries.length === 0) return 'pause';
  const hasOthers = othersIn(deliveries);
  try {
    await client.send(deliveries.map((one) => deliveryDueEvent(one, hasOthers(one))));
  } catch (error) {
    await undoDispatch(deliveries);
    throw error;
  }
  // A full batch means that more deliveries may be due.
  return deliveries.length < BATCH ? 'pause' : 'repeat';
}

function pause(signal: AbortSignal, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
