import type { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import type { NextRequest } from 'next/server';
import { deliveryDependencies } from '@/lib/operations/background';
import { inngestSettings } from '@/lib/platform/env';
import { createClient } from './client';
import { createFunctions } from './functions';

/** Where Inngest calls our functions. */
const SERVE_PATH = '/api/inngest';

/**
 * Returns what answers Inngest's requests. Outside of dev mode each must be signed, also one that asks us to register.
 * Where we are is never taken from a request: a forged Host would send Inngest elsewhere.
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
 * Tells Inngest which functions there are and where they are called.
 * @throws Error with Inngest's answer when it does not take them.
 */
export async function register(client: Inngest): Promise<void> {
  const handler = handlerOf(client, true);
  // What Inngest asks of a new deployment, asked by ourselves: no request is made for it.
  const ask = new Request(`${inngestSettings().serveOrigin}${SERVE_PATH}`, { method: 'PUT' }) as NextRequest;
  const response = await handler.PUT(ask, undefined);
  if (!response.ok) throw new Error(`Inngest did not take the functions: ${(await response.text()).slice(0, 200)}`);
}
