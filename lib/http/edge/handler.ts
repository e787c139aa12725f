import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { clientAddress, peerAddress } from './address';
import { hasBody, limitBody } from './body';
import { type Edge, type Exchange, lastExchange, noteExchange } from './exchange';
import { guardResponse } from './guard';
import { setTrustedHeaders } from './headers';
import { securePage } from './page-security';
import { refuse } from './refusal';
import { classifyTarget, isDecodable, originForm, pathOf, UNKNOWN_ROUTE } from './target';

/** Bytes of a body passed to a partner route. Above the route's own limit, so that the route can detect an excess. */
const PARTNER_BODY = 64 * 1024;
/** Bytes of a body passed to the rest of the application. */
const OTHER_BODY = 4 * 1024 * 1024;

/**
 * Handles one request: classifies the raw target, overwrites forgeable headers, limits the body, and ensures that
 * every partner request gets a response that conforms to the contract, whatever Next does (contract A, B2).
 */
export function handle(edge: Edge, req: IncomingMessage, res: ServerResponse): void {
  const method = req.method ?? 'GET';
  const target = originForm(req.url ?? '/');
  const path = pathOf(target);
  const targetClass = classifyTarget(method, path);
  const partner = targetClass !== 'other';
  const { trustedProxies } = edge;
  const peer = lastExchange(req.socket)?.peer ?? peerAddress(req.socket.remoteAddress);
  const address = trustedProxies === 0 ? peer : behindProxies(req, peer, trustedProxies);
  const exchange: Exchange = { req, res, method, peer, address, begun: performance.now(), partner, replaced: false };
  noteExchange(req.socket, exchange);
  guardResponse(edge, exchange);
  if (hasBody(exchange)) {
    limitBody(
      exchange,
      targetClass === 'other' ? OTHER_BODY : targetClass === 'known' && method === 'POST' ? PARTNER_BODY : 0,
    );
  }
  setTrustedHeaders(req.headers, { method, target, address }, partner, trustedProxies > 0);
  if (!partner) securePage(exchange, path);
  if (!partner && !isDecodable(path)) {
    sendPlainText(res, 400, 'Bad Request');
    return;
  }
  if (targetClass === 'refused') {
    // Next rejects TRACE and PROPFIND and handles HEAD and OPTIONS itself; only GET reaches the catch-all route.
    // Node has already recorded a HEAD request and omits the body.
    req.method = 'GET';
    req.url = UNKNOWN_ROUTE;
  } else {
    // The pipeline reads the query of a partner request from the trusted headers: Next removes some of its parameters.
    req.url = partner ? path : target;
  }
  edge.next(req, res).then(
    () => ensureResponse(exchange),
    (error: unknown) => onFailure(exchange, error),
  );
}

function behindProxies(req: IncomingMessage, peer: string, proxies: number): string {
  const forwarded = req.headers['x-forwarded-for'];
  return clientAddress(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
}

/** Responds with 503 if Next returned without a response, so that a partner request does not hang. */
function ensureResponse(exchange: Exchange): void {
  const { res, partner } = exchange;
  if (partner && !res.headersSent && !res.destroyed) void refuse(exchange, new AppError('service_unavailable'));
}

function onFailure(exchange: Exchange, error: unknown): void {
  const { res, partner } = exchange;
  log().error({ err: error }, 'the request handler failed');
  if (res.headersSent) return void res.destroy();
  if (partner) return void refuse(exchange, new AppError('service_unavailable'));
  sendPlainText(res, 500, 'Internal Server Error');
}

function sendPlainText(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(text);
}
