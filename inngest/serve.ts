import type { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { deliveryDependencies } from '@/lib/operations/background';
import { inngestSettings } from '@/lib/platform/env';
import { attemptDue } from '@/lib/webhooks/attempt-due';
import { applicationDue, createClient } from './client';

const SERVE_PATH = '/api/inngest';

/** Null if the registration succeeded. */
export type RegistrationProblem = { problem: string; message: string } | null;

/**
 * Creates the handler for Inngest's requests, which must be signed outside of dev mode. The settings determine the
 * origin: with that of the Host header, a forged one could make Inngest call another server.
 */
export function createHandler() {
  return handlerOf(createClient(), false);
}

function handlerOf(client: Inngest, enableUnauthedSync: boolean) {
  const { serveOrigin } = inngestSettings();
  return serve({ client, functions: [deliverWebhook(client)], serveOrigin, servePath: SERVE_PATH, enableUnauthedSync });
}

/**
 * Makes the due attempts of an application (contract B11). All state is in PostgreSQL, so a lost or repeated run does
 * no harm. The dispatcher sends the event again while deliveries are due, so no run is retried.
 */
function deliverWebhook(client: Inngest) {
  const dependencies = deliveryDependencies();
  return client.createFunction(
    {
      id: 'deliver-webhook',
      triggers: [applicationDue()],
      retries: 0,
      singleton: { key: 'event.data.application_id + "/" + event.data.running', mode: 'skip' },
    },
    async ({ event }) => ({ attempts: await attemptDue(dependencies, event.data.application_id) }),
  );
}

/** Registers the functions and their URL with Inngest. `stopping` aborts the call. */
export async function register(stopping: AbortSignal): Promise<RegistrationProblem> {
  // The handler does not report the HTTP status of Inngest's response, and can treat a 401 as a success.
  let status: number | null = null;
  const handler = handlerOf(
    createClient(stopping, (received) => {
      status = received;
    }),
    true,
  );
  // The handler registers the deployment when it is called with a PUT request.
  const request = new Request(`${inngestSettings().serveOrigin}${SERVE_PATH}`, { method: 'PUT' }) as NextRequest;
  const response = await handler.PUT(request, undefined);
  const text = (await response.text()).slice(0, 200);
  return problemOf(status, response.ok, text);
}

function problemOf(status: number | null, ok: boolean, text: string): RegistrationProblem {
  if (status === null) return { problem: 'no response', message: `Inngest did not respond: ${text}` };
  if (ok && status < 300) return null;
  return {
    problem: `functions: HTTP ${status}`,
    message: `Inngest rejected the functions with HTTP ${status}: ${text}`,
  };
}
