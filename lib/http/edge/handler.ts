import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { clientAddress, peerAddress } from './address';
import { hasBody, limitBody } from './body';
import { type Edge, type Exchange, lastExchange, noteExchange } from './exchange';
import { guardAnswer } from './guard';
import { handOver } from './headers';
import { securePage } from './page-security';
import { refuse } from './refusal';
import { isDecodable, originForm, passageOf, pathOf, UNKNOWN_ROUTE } from './target';

/** Bytes of a body that a partner route sees; more than its own limit, so that it can tell. */
const PARTNER_BODY = 64 * 1024;
/** Bytes of a body that the rest of the application sees. */
const OTHER_BODY = 4 * 1024 * 1024;

/**
 * Takes one request: decides by the raw target who answers, replaces what the client forged, bounds the body, and
 * sees to it that a partner request gets the contract's answer whatever Next does (contract A, B2).
 */
export function handle(edge: Edge, req: IncomingMessage, res: ServerResponse): void {
  const method = req.method ?? 'GET';
  const target = originForm(req.url ?? '/');
  const path = pathOf(target);
  const passage = passageOf(method, path);
  const partner = passage !== 'elsewhere';
  const { trustedProxies } = edge;
  const peer = lastExchange(req.socket)?.peer ?? peerAddress(req.socket.remoteAddress);
  const address = trustedProxies === 0 ? peer : behindProxies(req, peer, trustedProxies);
  const exchange: Exchange = { req, res, method, peer, address, begun: performance.now(), partner, taken: false };
  noteExchange(req.socket, exchange);
  guardAnswer(edge, exchange);
  if (hasBody(exchange)) {
    limitBody(
      exchange,
      passage === 'elsewhere' ? OTHER_BODY : passage === 'known' && method === 'POST' ? PARTNER_BODY : 0,
    );
  }
  handOver(req.headers, { method, target, address }, partner, trustedProxies > 0);
  if (!partner) securePage(exchange, path);
  if (!partner && !isDecodable(path)) {
    plainAnswer(res, 400, 'Bad Request');
    return;
  }
  if (passage === 'refused') {
    // Next knows neither TRACE nor PROPFIND and answers HEAD and OPTIONS by itself; GET it gives to the catch-all.
    // Node has noted a HEAD already and sends no body.
    req.method = 'GET';
    req.url = UNKNOWN_ROUTE;
  } else {
    // The query of a partner request travels in the handed-over target: Next would take parameters out of the URL.
    req.url = partner ? path : target;
  }
  edge.next(req, res).then(
    () => onDone(exchange),
    (error: unknown) => onFailure(exchange, error),
  );
}

function behindProxies(req: IncomingMessage, peer: string, proxies: number): string {
  const forwarded = req.headers['x-forwarded-for'];
  return clientAddress(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
}

/** A partner request that nobody answered must not hang until the client gives up. */
function onDone(exchange: Exchange): void {
  const { res, partner } = exchange;
  if (partner && !res.headersSent && !res.destroyed) void refuse(exchange, new AppError('service_unavailable'));
}

function onFailure(exchange: Exchange, error: unknown): void {
  const { res, partner } = exchange;
  log().error({ err: error }, 'the request handler failed');
  if (res.headersSent) return void res.destroy();
  if (partner) return void refuse(exchange, new AppError('service_unavailable'));
  plainAnswer(res, 500, 'Internal Server Error');
}

function plainAnswer(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  res.end(text);
}
