import { eventType, Inngest } from 'inngest';
import { z } from 'zod';
import { env, inngestSettings } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import type { DispatchedDelivery } from '@/lib/webhooks/dispatch';

/** Milliseconds that a call to Inngest may take. */
const TIMEOUT = 5_000;

/** Data of the event. It must not contain data of the booking, the customer, or the receiver. */
export const deliveryDueData = z.object({
  delivery_id: z.string(),
  application_id: z.string(),
  /** Time of the dispatch, which distinguishes it from earlier ones. */
  handed_at: z.iso.datetime(),
});

/**
 * Returns the event type of a due delivery. TEST and LIVE may share one Inngest, and an event triggers every function
 * that waits for its name, so the name contains the environment.
 */
export function deliveryDue() {
  return eventType(`partner-booking.${env().ENVIRONMENT.toLowerCase()}/delivery.due`, { schema: deliveryDueData });
}

/** Returns the event of a due delivery. Its id makes Inngest drop duplicates. */
export function deliveryDueEvent({ deliveryId, applicationId, handedAt }: DispatchedDelivery) {
  const data = { delivery_id: deliveryId, application_id: applicationId, handed_at: handedAt.toISOString() };
  return deliveryDue().create(data, { id: `${deliveryId}.${handedAt.getTime()}` });
}

/**
 * Creates a client for the Inngest server of the settings (architecture 7).
 * @param stopping aborts running calls.
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
    fetch: (input, init) => fetchWithTimeout(input, init, stopping),
    // The response returns the result of a step. With checkpoints, each would cost a request to Inngest.
    checkpointing: false,
    aiMetadata: false,
  });
}

async function fetchWithTimeout(
  input: string | URL | Request,
  init?: RequestInit,
  stopping?: AbortSignal,
): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, TIMEOUT);
  stopping?.addEventListener('abort', abort);
  try {
    if (stopping?.aborted) abort();
    const response = await fetch(input, { ...init, cache: 'no-store', signal: controller.signal });
    // The timeout covers the body too.
    const body = await response.arrayBuffer();
    return new Response(body, { status: response.status, headers: response.headers });
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', abort);
  }
}
