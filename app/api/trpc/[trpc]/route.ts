import { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { isOwnPage } from '@/app/_own-page';
import { callerLookup } from '@/app/_session';
import { appRouter } from '@/lib/control-center/trpc/router';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { signInRequired } from '@/lib/http/edge/limits/calls';
import { takeNextTurn } from '@/lib/http/edge/limits/pages';
import { CALLS_OF_BATCH, MAX_CALLS, maximumBody } from '@/lib/http/edge/limits/size';
import { newId } from '@/lib/platform/ids';
import { browserLanguage } from '@/lib/platform/text/browser-language';
import { createTurns, type Turns } from '@/lib/platform/turns';

/**
 * Handles the API calls of the Control Center's pages. A request that no such page has sent gets a 403. A request without
 * a valid session gets one 401 for all its calls, and its body is not read.
 */
async function handler(request: Request): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: { 'Cache-Control': 'no-store' } });
  const requestId = newId('req');
  const headers = { 'Cache-Control': 'private, no-store', 'X-Request-Id': requestId };
  const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
  const lookup = callerLookup();
  const first = lookup.then((lookUp) => lookUp());
  const isSignedOut = await first.then(
    ({ access }) => access === null,
    () => false,
  );
  if (isSignedOut)
    return new Response(signInRequired(), { status: 401, headers: { ...headers, 'Content-Type': 'application/json' } });
  const call = await boundedCall(request);
  const batch = turnsOfBatch();
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: call ?? new Request(request.url, { method: request.method, headers: request.headers }),
    router: appRouter,
    createContext: async () => {
      if (!call) throw new TRPCError({ code: 'PAYLOAD_TOO_LARGE' });
      const [lookUp, caller] = await Promise.all([lookup, first]);
      let looksUp: typeof lookUp = async () => {
        looksUp = lookUp;
        return caller;
      };
      return {
        ...caller,
        browserLanguage: browserLanguage(request.headers.get('accept-language')),
        requestId,
        address,
        now: new Date(),
        batch,
        currentCaller: () => looksUp(),
      };
    },
    responseMeta: () => ({ headers }),
    maxBatchSize: MAX_CALLS,
  });
}

/** Returns the turns of the calls of a batch. Each call after the first one waits for a turn like a request of its own. */
function turnsOfBatch(): Pick<Turns, 'take'> {
  const { take } = createTurns(CALLS_OF_BATCH);
  let begun = false;
  return {
    take: async (client) => {
      const endTurn = await take(client);
      if (begun) await takeNextTurn();
      begun = true;
      return endTurn;
    },
  };
}

export { handler as GET, handler as POST };

/**
 * Reads the body of a tRPC call into memory and returns the call. Returns null if the body is larger than the
 * `maximumBody` of the path, which the edge compares only with the Content-Length.
 */
async function boundedCall(request: Request): Promise<Request | null> {
  if (!request.body) return request;
  const limit = maximumBody(new URL(request.url).pathname, false);
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > limit) return null;
    pieces.push(piece.value);
  }
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(pieces) });
}
