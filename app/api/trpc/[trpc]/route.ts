import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { currentMember } from '@/app/_session';
import { systemClock } from '@/lib/clock';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { appRouter } from '@/lib/trpc/router';

/**
 * The owner's pages' data. A call comes from our own pages only: it carries a header that a form or a link of another
 * site cannot set, and a browser says where it comes from.
 */
async function handler(request: Request): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: { 'Cache-Control': 'no-store' } });
  const requestId = newId('req');
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: async () => ({ member: await currentMember(), requestId, now: systemClock() }),
    responseMeta: () => ({ headers: { 'Cache-Control': 'private, no-store', 'X-Request-Id': requestId } }),
    maxBatchSize: 20,
  });
}

function isOwnPage({ headers }: Request): boolean {
  if (headers.get('x-partner-booking') !== 'control-center') return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin === null || origin === env().origin;
}

export { handler as GET, handler as POST };
