import { eventType, Inngest } from 'inngest';
import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { fetchInngest } from '@/lib/operations/inngest';
import { env, inngestSettings } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { recurringWarning } from '@/lib/platform/recurring-warning';

const sdk = recurringWarning('the Inngest SDK reports a problem, such as a request without a valid signature');

/**
 * Returns the event type for an application with due deliveries. TEST and LIVE may share one Inngest server, which
 * stores the data, so it must not contain booking, customer, or endpoint data. `running` attempts are part of the key
 * of a run, so that the next delivery does not wait for a slow attempt.
 */
export function applicationDue() {
  return eventType(`partner-booking.${env().ENVIRONMENT.toLowerCase()}/application.due`, {
    schema: z.object({ application_id: boundedText(100), running: boundedText(10) }),
  });
}

/** Creates a client (architecture 7). `stopping` aborts its calls. `onStatus` gets the HTTP status of each response. */
export function createClient(stopping?: AbortSignal, onStatus: (status: number) => void = () => {}): Inngest {
  const { appId, isDev, baseUrl, eventKey, signingKey, signingKeyFallback } = inngestSettings();
  // Anybody can send a request without a signature. The SDK would log an error with a stack for each one.
  const problem = (first: unknown, text?: unknown) =>
    sdk.warn(
      typeof first === 'object' && first !== null && 'err' in first ? first.err : new Error(String(text ?? first)),
    );
  return new Inngest({
    id: appId,
    isDev,
    baseUrl,
    eventKey,
    signingKey,
    signingKeyFallback,
    logger: log(),
    internalLogger: { debug: () => {}, info: () => {}, warn: problem, error: problem },
    fetch: async (input, init) => {
      const response = await fetchInngest(input, init, stopping);
      onStatus(response.status);
      return response;
    },
    // The only function has no steps, so there is no state to save.
    checkpointing: false,
    aiMetadata: false,
  });
}
