import type { Inngest } from 'inngest';
import { systemClock } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { takeUndispatched, undoDispatch } from '@/lib/webhooks/dispatch';
import { createClient, deliveryDueEvent } from './client';
import { register } from './serve';

/** Milliseconds between looks for what is due: a first attempt follows its commit within about a second. */
const LOOK_EVERY = 400;
/** Milliseconds between tries at most, while Inngest cannot be reached. */
const MAX_PAUSE = 30_000;
/** Events of one call. */
const BATCH = 500;

/**
 * Tells Inngest of our functions, then hands over what is due every 400 ms until it is stopped. While Inngest cannot be
 * reached, what is due stays due, and is handed over when it can.
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
    repeat(signal, 'due deliveries could not be handed to Inngest', () => handOver(client)),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type Went = 'again' | 'pause' | 'done';

/** Does something until it is done or stopped; after failures ever more slowly. */
async function repeat(signal: AbortSignal, problem: string, work: () => Promise<Went>): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const went = await work();
      failures = 0;
      if (went === 'done') return;
      if (went === 'pause') await pause(signal, LOOK_EVERY);
    } catch (error) {
      if (signal.aborted) return;
      log().warn({ err: error }, problem);
      failures += 1;
      await pause(signal, Math.min(LOOK_EVERY * 2 ** failures, MAX_PAUSE));
    }
  }
}

async function handOver(client: Inngest): Promise<Went> {
  const handed = await takeUndispatched(systemClock(), BATCH);
  if (handed.length === 0) return 'pause';
  try {
    await client.send(handed.map(deliveryDueEvent));
  } catch (error) {
    await undoDispatch(handed);
    throw error;
  }
  // A full batch may have left more behind.
  return handed.length < BATCH ? 'pause' : 'again';
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
