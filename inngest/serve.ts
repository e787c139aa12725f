import type { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { deliveryDependencies } from '@/lib/operations/background';
import { inngestSettings } from '@/lib/platform/env';
import { createClient } from './client';
import { createFunctions } from './functions';
import type { RegistrationProblem } from './registration';

/** The path that Inngest calls. */
const SERVE_PATH = '/api/inngest';

/**
 * Creates the handler for Inngest's requests. Outside of dev mode, Inngest must sign its requests. The settings
 * determine the origin that Inngest calls. If the Host header determined it, a forged header could make Inngest call
 * another server.
 */
export function createHandler() {
  return handlerOf(createClient(), false);
}

function handlerOf(client: Inngest, enableUnauthedSync: boolean) {
  const { serveOrigin } = inngestSettings();
  const functions = createFunctions(client, deliveryDependencies());
  return serve({ client, functions, serveOrigin, servePath: SERVE_PATH, enableUnauthedSync });
}

/**
 * Registers the functions and their URL with Inngest. Returns the reason for a failure, or null on success.
 * @param stopping A signal that aborts the call.
 */
export async function register(stopping: AbortSignal): Promise<RegistrationProblem> {
  // The handler does not report the HTTP status of Inngest's response, and can treat a 401 as a success. The callback
  // below therefore records the status.
  let status: number | null = null;
  const handler = handlerOf(
    createClient(stopping, (received) => {
      status = received;
    }),
    true,
  );
  // The handler registers the deployment when it is called with a PUT request. This process creates the request itself.
  const request = new Request(`${inngestSettings().serveOrigin}${SERVE_PATH}`, { method: 'PUT' }) as NextRequest;
  const response = await handler.PUT(request, undefined);
  const text = (await response.text()).slice(0, 200);
  return problemOf(status, response.ok, text);
}

function problemOf(status: number | null, ok: boolean, text: string): RegistrationProblem {
  if (status === null) return { problem: 'no response', message: `Inngest did not respond: ${text}` };
  if (ok && status < 300) return null;
  return { problem: `HTTP ${status}`, message: `Inngest rejected the functions with HTTP ${status}: ${text}` };
}
