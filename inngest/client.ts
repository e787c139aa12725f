import { eventType, Inngest } from 'inngest';
import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { env, inngestSettings } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import type { DispatchedDelivery } from '@/lib/webhooks/dispatch';

/** Timeout of one HTTP call to Inngest, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Data of the event `delivery.due`. Inngest stores this data, so it must not contain booking, customer, or endpoint
 * data.
 */
export const deliveryDueData = z.object({
  delivery_id: boundedText(100),
  application_id: boundedText(100),
  /** Distinguishes this dispatch of a delivery from earlier dispatches of the same delivery. */
  handed_at: boundedText(40).check(z.iso.datetime()),
  /**
   * Set if other deliveries of the same application are dispatched at the same time. Inngest then calls the function
   * once for several of these deliveries, instead of once for each.
   */
  batch: z.literal(true).optional(),
});

/**
 * Returns the event type for a due delivery. The name of the type contains the environment, because TEST and LIVE may
 * share one Inngest server.
 */
export function deliveryDue() {
  return eventType(`partner-booking.${env().ENVIRONMENT.toLowerCase()}/delivery.due`, { schema: deliveryDueData });
}

/** Returns the event for a due delivery. The event's id identifies the dispatch, so Inngest drops duplicates. */
export function deliveryDueEvent({ deliveryId, applicationId, handedAt }: DispatchedDelivery, batch: boolean) {
  const data = { delivery_id: deliveryId, application_id: applicationId, handed_at: handedAt.toISOString() };
  return deliveryDue().create(batch ? { ...data, batch } : data, { id: `${deliveryId}.${handedAt.getTime()}` });
}

/**
 * Creates a client for the configured Inngest server (architecture 7).
 * @param stopping A signal that aborts the calls in progress.
 * @param onStatus Called with the HTTP status of each response.
 */
export function createClient(stopping?: AbortSignal, onStatus: (status: number) => void = () => {}): Inngest {
  const { environment, isDev, baseUrl, eventKey, signingKey, signingKeyFallback } = inngestSettings();
  return new Inngest({
    id: `partner-booking-${environment.toLowerCase()}`,
    isDev,
    baseUrl,
    eventKey,
    signingKey,
    signingKeyFallback,
    logger: log(),
    fetch: async (input, init) => {
      const response = await fetchWithTimeout(input, init, stopping);
      onStatus(response.status);
      return response;
    },
    // Checkpointing is off, because it would need an additional request to Inngest for the result of each step.
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
    // The body is read before the timer is cleared, so that the timeout also limits reading the body.
    const body = await response.arrayBuffer();
    return new Response(body, { status: response.status, headers: response.headers });
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', abort);
  }
}
