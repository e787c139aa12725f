import type { Incoming } from '../partner-api/call';
import { type Answer, type RouteHandler, routeHandler } from '../partner-api/web';

/** Returns the route of a health check or of the metrics. Its responses must not be cached. */
export function operatorRoute(run: (incoming: Incoming) => Answer | Promise<Answer>): RouteHandler {
  return routeHandler(async (incoming) => {
    const { status, headers, body } = await run(incoming);
    return { status, headers: { ...headers, 'Cache-Control': 'no-store' }, body };
  });
}

/** Returns a response with a JSON body. */
export function jsonAnswer(status: number, data: object): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(data) };
}
