import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { isOwnPage } from '@/app/_own-page';
import { callerLookup } from '@/app/_session';
import { appRouter } from '@/lib/control-center/trpc/router';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { signInRequired } from '@/lib/http/edge/limits/calls';
import { takeNextTurn } from '@/lib/http/edge/limits/pages';
import { CALLS_OF_BATCH, MAX_CALLS } from '@/lib/http/edge/limits/size';
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
  const batch = turnsOfBatch();
  return fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: async () => {
      let looksUp = () => {
        looksUp = async () => (await lookup)();
        return first;
      };
      return {
        // If the sender cannot be looked up, the calls fail, in the language of the browser.
        ...(await first.catch(() => ({ access: null }))),
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
