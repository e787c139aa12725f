import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { clientAddress, peerAddress } from './address';
import { type Edge, type Exchange, noteExchange } from './exchange';
import { respondWithPage, sendText } from './page';
import { respondDirectly } from './partner';
import { refuse } from './refusal';
import { originForm, partnerRouteAt, pathOf } from './target';

/**
 * Handles one request: finds the route of the raw request target, and calls the route or Next.js. Every response to a
 * partner request conforms to the contract (contract A, B2).
 */
export function handle(edge: Edge, req: IncomingMessage, res: ServerResponse): void {
  const method = req.method ?? 'GET';
  const target = originForm(req.url ?? '/');
  const route = partnerRouteAt(method, pathOf(target));
  const address = addressOf(req, edge.trustedProxies);
  const exchange: Exchange = { req, res, method, address, begun: performance.now(), replaced: false };
  noteExchange(req.socket, exchange);
  if (edge.draining) res.setHeader('Connection', 'close');
  const responding = route
    ? respondDirectly(edge, exchange, edge.routes[route], target)
    : respondWithPage(edge, exchange, target);
  responding.catch((error: unknown) => {
    log().error({ err: error }, 'the request handler failed');
    if (res.headersSent) res.destroy();
    else if (route) void refuse(exchange, new AppError('service_unavailable'));
    else sendText(res, { status: 500, text: 'Internal Server Error' });
  });
}

function addressOf(req: IncomingMessage, proxies: number): string {
  const peer = peerAddress(req.socket.remoteAddress);
  if (proxies === 0) return peer;
  const forwarded = req.headers['x-forwarded-for'];
  return clientAddress(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
}
