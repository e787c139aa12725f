import type { NextRequest } from 'next/server';
import { schedulerInUse } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

type Method = 'GET' | 'POST' | 'PUT';

/** Answers Inngest, when it is the scheduler (architecture 7); otherwise there is nothing here. */
async function answer(method: Method, request: NextRequest): Promise<Response> {
  if (schedulerInUse() !== 'inngest')
    return new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  // Loaded by the first request: who does not use Inngest does not pay for it.
  const { createHandler } = await import('@/inngest/serve');
  const handler = singleton('inngest-handler', createHandler);
  const { status, headers, body } = await handler[method](request, undefined);
  const passed = new Headers(headers);
  passed.set('Cache-Control', 'no-store');
  return new Response(body, { status, headers: passed });
}

export const GET = (request: NextRequest) => answer('GET', request);
export const POST = (request: NextRequest) => answer('POST', request);
export const PUT = (request: NextRequest) => answer('PUT', request);

/** Never prerendered: it speaks of this moment. */
export const dynamic = 'force-dynamic';
