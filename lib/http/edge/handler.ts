import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { clientAddress, peerAddress } from './address';
import { hasBody, joinArrived, limitBody } from './body';
import { type Edge, type Exchange, lastExchange, noteExchange } from './exchange';
import { guardResponse } from './guard';
import { setTrustedHeaders } from './headers';
import { respondWithPage, sendText } from './page';
import { respondDirectly } from './partner';
import { refuse } from './refusal';
import { originForm, type PartnerRouteId, partnerRouteAt, pathOf, UNKNOWN_ROUTE } from './target';

/**
 * Maximum number of body bytes that are passed to a partner route. This is more than the routes' own limits, so that
 * a route can detect a body that is too large.
 */
const PARTNER_BODY = 64 * 1024;

/**
 * Handles one request: finds the route of the raw request target, limits the body, and calls the route or Next.js.
 * Every response to a partner request conforms to the contract (contract A, B2).
 * @param waited see `Exchange`
 */
export function handle(edge: Edge, req: IncomingMessage, res: ServerResponse, waited: number): void {
  const method = req.method ?? 'GET';
  const target = originForm(req.url ?? '/');
  const path = pathOf(target);
  const route = partnerRouteAt(method, path);
  const partner = route !== null;
  const { trustedProxies, routes } = edge;
  const peer = lastExchange(req.socket)?.peer ?? peerAddress(req.socket.remoteAddress);
  const address = trustedProxies === 0 ? peer : behindProxies(req, peer, trustedProxies);
  const begun = performance.now();
  const arrived = joinArrived(req);
  const exchange: Exchange = { req, res, method, peer, address, begun, waited, arrived, partner, replaced: false };
  noteExchange(req.socket, exchange);
  if (partner && hasBody(exchange)) {
    limitBody(exchange, route !== 'unknown' && method === 'POST' ? PARTNER_BODY : 0);
  }
  const responding = !route
    ? respondWithPage(edge, exchange, target)
    : routes
      ? respondDirectly(edge, exchange, routes[route], target)
      : callNext(edge, exchange, route, target);
  responding.then(
    () => ensureResponse(exchange),
    (error: unknown) => onFailure(exchange, error),
  );
}

/** Passes a partner request to Next.js, without headers that a client could forge. */
async function callNext(edge: Edge, exchange: Exchange, route: PartnerRouteId, target: string): Promise<void> {
  const { req, res, method, address } = exchange;
  guardResponse(edge, exchange);
  setTrustedHeaders(req.headers, { method, target, address }, true, edge.trustedProxies > 0);
  if (route !== 'unknown') {
    // Next.js gets only the path, because it would remove some query parameters. The pipeline reads the query from the
    // trusted headers.
    req.url = pathOf(target);
  } else {
    // Next.js rejects TRACE and PROPFIND, and handles HEAD and OPTIONS itself. With the method GET, every request
    // reaches the catch-all route. Node still omits the body of a response to HEAD, because Node has recorded the
    // original method.
    req.method = 'GET';
    req.url = UNKNOWN_ROUTE;
  }
  await edge.next(req, res);
}

function behindProxies(req: IncomingMessage, peer: string, proxies: number): string {
  const forwarded = req.headers['x-forwarded-for'];
  return clientAddress(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
}

/**
 * Responds with 503 to a partner request that the route or Next.js left without a response. The request would otherwise
 * never end.
 */
function ensureResponse(exchange: Exchange): void {
  const { res, partner } = exchange;
  if (partner && !res.headersSent && !res.destroyed) void refuse(exchange, new AppError('service_unavailable'));
}

function onFailure(exchange: Exchange, error: unknown): void {
  const { res, partner } = exchange;
  log().error({ err: error }, 'the request handler failed');
  if (res.headersSent) return void res.destroy();
  if (partner) return void refuse(exchange, new AppError('service_unavailable'));
  sendText(res, { status: 500, text: 'Internal Server Error' });
}
