import type { Inngest } from 'inngest';
import { systemClock } from '@/lib/platform/clock';
import { type DispatchedDelivery, takeUndispatched, undoDispatch } from '@/lib/webhooks/dispatch';
import { createClient, deliveryDueEvent } from './client';
import { keepRegistered } from './registration';
import { repeat } from './repeat';
import { register } from './serve';

/** Milliseconds between polls. With this value, the first attempt starts about a second after a delivery is created. */
const POLL_INTERVAL = 400;
/** Maximum number of events in one call to Inngest. */
const BATCH = 500;

/**
 * Registers the functions with Inngest, and dispatches due deliveries until `stop` is called. While Inngest is
 * unreachable, deliveries stay due.
 */
export function startDispatcher(): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const client = createClient(signal);
  const running = Promise.all([
    keepRegistered(signal, () => register(signal)),
    repeat(signal, 'due deliveries could not be dispatched to Inngest', () => dispatch(client)),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Returns a function that is called with one of `deliveries`. The function returns whether another one of `deliveries`
 * belongs to the same application.
 */
function othersIn(deliveries: readonly DispatchedDelivery[]): (one: DispatchedDelivery) => boolean {
  const counts = new Map<string, number>();
  for (const { applicationId } of deliveries) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
  return ({ applicationId }) => (counts.get(applicationId) ?? 0) > 1;
}

async function dispatch(client: Inngest): Promise<number> {
  const deliveries = await takeUndispatched(systemClock(), BATCH);
  if (deliveries.length === 0) return POLL_INTERVAL;
  const hasOthers = othersIn(deliveries);
  try {
    await client.send(deliveries.map((one) => deliveryDueEvent(one, hasOthers(one))));
  } catch (error) {
    await undoDispatch(deliveries);
    throw error;
  }
  // After a full batch, more deliveries are probably due, so the next poll follows immediately.
  return deliveries.length < BATCH ? POLL_INTERVAL : 0;
}
