import type { Inngest } from 'inngest';
import { systemClock } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { takeUndispatched, undoDispatch } from '@/lib/webhooks/dispatch';
import { createClient, deliveryDueEvent } from './client';
import { register } from './serve';

/** Milliseconds between polls for due deliveries. A first attempt starts within about a second of the commit. */
const POLL_INTERVAL = 400;
/** Maximum milliseconds between retries while Inngest is unreachable. */
const MAX_PAUSE = 30_000;
/** Events per call. */
const BATCH = 500;

/**
 * Registers the functions with Inngest and dispatches due deliveries every 400 ms until it is stopped. While Inngest is
 * unreachable, deliveries remain due and are dispatched later.
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

/** Repeats `work` until it is done or stopped, with exponential backoff after failures. */
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

async function dispatch(client: Inngest): Promise<Next> {
  const deliveries = await takeUndispatched(systemClock(), BATCH);
  if (deliveries.length === 0) return 'pause';
  try {
    await client.send(deliveries.map(deliveryDueEvent));
  } catch (error) {
    await undoDispatch(deliveries);
    throw error;
  }
  // After a full batch there may be more.
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
