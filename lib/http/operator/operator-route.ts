import type { Incoming } from '../partner-api/call';
import type { Answer, Respond } from '../partner-api/partner-route';
import { incomingFrom, webResponse } from '../partner-api/web';

/** A route handler for Next.js. The edge calls only `respond`, which needs no `Request` and no `Response`. */
type OperatorRoute = ((request: Request) => Promise<Response>) & { respond: Respond };

/** Returns the route of a health check or of the metrics. Its responses must not be cached. */
export function operatorRoute(run: (incoming: Incoming) => Answer | Promise<Answer>): OperatorRoute {
  const respond: Respond = async (incoming) => {
    const { status, headers, body } = await run(incoming);
    return { status, headers: { ...headers, 'Cache-Control': 'no-store' }, body };
  };
  return Object.assign(async (request: Request) => webResponse(await respond(incomingFrom(request))), { respond });
}

/** Returns a response with a JSON body. */
export function jsonAnswer(status: number, data: object): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(data) };
}
