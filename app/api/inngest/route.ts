import type { NextRequest } from 'next/server';
import { schedulerInUse } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

type Method = 'GET' | 'POST' | 'PUT';

/** Handles requests from Inngest if Inngest is the scheduler (architecture 7). Otherwise, responds with 404. */
async function handle(method: Method, request: NextRequest): Promise<Response> {
  if (schedulerInUse() !== 'inngest')
    return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  // A static import would load `@/inngest/serve` in deployments without Inngest too.
  const { createHandler } = await import('@/inngest/serve');
  const handler = singleton('inngest-handler', createHandler);
  const { status, headers, body } = await handler[method](request, undefined);
  const responseHeaders = new Headers(headers);
  responseHeaders.set('Cache-Control', 'no-store');
  return new Response(body, { status, headers: responseHeaders });
}

export const GET = (request: NextRequest) => handle('GET', request);
export const POST = (request: NextRequest) => handle('POST', request);
export const PUT = (request: NextRequest) => handle('PUT', request);

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
