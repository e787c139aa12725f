import { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { isOwnPage } from '@/app/_own-page';
import { currentCaller } from '@/app/_session';
import { appRouter } from '@/lib/control-center/trpc/router';
import { CALLS_OF_BATCH, MAX_CALLS } from '@/lib/http/edge/limits/size';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { newId } from '@/lib/platform/ids';
import { createTurns } from '@/lib/platform/turns';
import { boundedCall } from './body';

/** Handles the API calls of the Control Center's pages. A request that no such page has sent gets a 403. */
async function handler(request: Request): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: { 'Cache-Control': 'no-store' } });
  const requestId = newId('req');
  const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
  const call = await boundedCall(request);
  const batch = createTurns(CALLS_OF_BATCH);
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: call ?? new Request(request.url, { method: request.method, headers: request.headers }),
    router: appRouter,
    createContext: async () => {
      if (!call) throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE' });
      const caller = await currentCaller();
      let looksUp: () => Promise<typeof caller> = async () => {
        looksUp = currentCaller;
        return caller;
      };
      const common = { requestId, address, now: systemClock(), batch };
      return { ...caller, ...common, currentCaller: () => looksUp() };
    },
    responseMeta: () => ({ headers: { 'Cache-Control': 'private, no-store', 'X-Request-Id': requestId } }),
    maxBatchSize: MAX_CALLS,
  });
}

export { handler as GET, handler as POST };
