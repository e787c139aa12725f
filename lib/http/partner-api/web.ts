import type { Incoming } from './call';
import type { ResponseParts } from './response';

export type Answer = ResponseParts<string | Buffer<ArrayBuffer>>;

/** Handles one request (contract B2). The promise rejects only if the rate limiter fails. */
export type Respond = (incoming: Incoming) => Promise<Answer>;

export type RouteHandler = (() => Response) & { respond: Respond };

/** Returns a route handler for the edge. Next.js itself would respond with 404. */
export function routeHandler(respond: Respond): RouteHandler {
  return Object.assign(() => new Response(null, { status: 404 }), { respond });
}
