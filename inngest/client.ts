import { eventType, Inngest } from 'inngest';
import { z } from 'zod';
import { env, inngestSettings } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import type { DispatchedDelivery } from '@/lib/webhooks/dispatch';

/** Milliseconds that a call to Inngest may take. */
const TIMEOUT = 5_000;

/** What an event tells of a delivery: nothing of a booking, its customer or the receiver. */
export const deliveryDueData = z.object({
  delivery_id: z.string(),
  application_id: z.string(),
  /** When it was handed over: tells this hand-over from earlier ones. */
  handed_at: z.iso.datetime(),
});

/**
 * Returns the event that a delivery is due. TEST and LIVE may share one Inngest: the name tells them apart, since an
 * event reaches every function that waits for its name.
 */
export function deliveryDue() {
  return eventType(`partner-booking.${env().ENVIRONMENT.toLowerCase()}/delivery.due`, { schema: deliveryDueData });
}

/** Returns the event of a delivery; its id makes Inngest drop one that is sent twice. */
export function deliveryDueEvent({ deliveryId, applicationId, handedAt }: DispatchedDelivery) {
  const data = { delivery_id: deliveryId, application_id: applicationId, handed_at: handedAt.toISOString() };
  return deliveryDue().create(data, { id: `${deliveryId}.${handedAt.getTime()}` });
}

/**
 * Returns a client of the Inngest that the settings name (architecture 7).
 * @param stopping ends calls that are under way.
 */
export function createClient(stopping?: AbortSignal): Inngest {
  const { environment, isDev, baseUrl, eventKey, signingKey, signingKeyFallback } = inngestSettings();
  return new Inngest({
    id: `partner-booking-${environment.toLowerCase()}`,
    isDev,
    baseUrl,
    eventKey,
    signingKey,
    signingKeyFallback,
    logger: log(),
    fetch: (input, init) => bounded(input, init, stopping),
    // Every result of a step goes back in the answer; with checkpoints each would cost a call of ours instead.
    checkpointing: false,
    aiMetadata: false,
  });
}

async function bounded(input: string | URL | Request, init?: RequestInit, stopping?: AbortSignal): Promise<Response> {
  const giveUp = new AbortController();
  const end = () => giveUp.abort();
  const timer = setTimeout(end, TIMEOUT);
  stopping?.addEventListener('abort', end);
  try {
    if (stopping?.aborted) end();
    const response = await fetch(input, { ...init, cache: 'no-store', signal: giveUp.signal });
    // Within the same time: a body may hang as well as a head.
    const body = await response.arrayBuffer();
    return new Response(body, { status: response.status, headers: response.headers });
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', end);
  }
}
