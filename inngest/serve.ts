import type { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { deliveryDependencies } from '@/lib/operations/background';
import { inngestSettings } from '@/lib/platform/env';
import { createClient } from './client';
import { createFunctions } from './functions';

/** Path at which Inngest calls the functions. */
const SERVE_PATH = '/api/inngest';

/**
 * Creates the handler for Inngest's requests. Outside of dev mode, every request must be signed, even a request to
 * register the functions. The handler's origin comes from the settings. If it came from the Host header, a forged
 * header could make Inngest call another server.
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
 * Registers the functions and their URL with Inngest.
 * @throws Error with Inngest's response if Inngest rejects the functions.
 */
export async function register(client: Inngest): Promise<void> {
  const handler = handlerOf(client, true);
  // A registration normally starts with an HTTP request to the deployment. Here, the request is passed to the handler
  // directly, without the network.
  const request = new Request(`${inngestSettings().serveOrigin}${SERVE_PATH}`, { method: 'PUT' }) as NextRequest;
  const response = await handler.PUT(request, undefined);
  if (!response.ok) throw new Error(`Inngest rejected the functions: ${(await response.text()).slice(0, 200)}`);
}
