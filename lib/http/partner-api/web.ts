import { bodyTooLarge, bodyUnreadable } from './body';
import { EDGE_HEADERS, type Incoming } from './call';
import type { ResponseParts } from './response';

export type Answer = ResponseParts<string | Buffer<ArrayBuffer>>;

/** Handles one request (contract B2). The promise rejects only if the rate limiter fails. */
export type Respond = (incoming: Incoming) => Promise<Answer>;

/**
 * A route handler for Next.js. For a request that bypasses Next.js, the server calls only `respond`, which needs no
 * `Request` and no `Response`.
 */
export type RouteHandler = ((request: Request) => Promise<Response>) & { respond: Respond };

/** Returns a route handler for Next.js that calls `respond`. */
export function routeHandler(respond: Respond): RouteHandler {
  return Object.assign(async (request: Request) => webResponse(await respond(incomingFrom(request))), { respond });
}

/**
 * Converts a `Request` of Next.js to the input of the pipeline. Takes the method, the URL, and the client's address
 * from the headers that the edge has set.
 */
export function incomingFrom(request: Request): Incoming {
  const { headers } = request;
  const target = headers.get(EDGE_HEADERS.target) ?? '/';
  const mark = target.indexOf('?');
  return {
    begun: performance.now(),
    waited: 0,
    headers: Object.fromEntries(headers),
    method: headers.get(EDGE_HEADERS.method) ?? request.method,
    path: mark < 0 ? target : target.slice(0, mark),
    search: mark < 0 ? '' : target.slice(mark + 1),
    address: headers.get(EDGE_HEADERS.address) ?? 'unknown',
    readBytes: (max) => readBytes(request, max),
  };
}

/** Converts a response of the pipeline to a `Response` for Next.js. */
function webResponse({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}

async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw bodyUnreadable(error);
    });
    if (done) break;
    size += value.length;
    // Canceling the reader here would close the connection before the response is sent. The edge discards the rest of
    // the body instead.
    if (size > max) throw bodyTooLarge();
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}
