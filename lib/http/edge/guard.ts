import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { mustCloseConnection } from './body';
import type { Edge, Exchange } from './exchange';
import { refuse } from './refusal';

/**
 * Wraps the methods of a response:
 *
 * - If the response to a partner request has no X-Request-Id, the contract's 503 replaces it. Such a response comes
 *   from Next.js itself, with the status 404, 405, or 500.
 * - The connection is closed after the response if the server is draining, or if the request body will not be read
 *   completely.
 * - An error response outside the partner API must not be cached. Caches could otherwise keep an error page of Next.js
 *   for a year.
 *
 * Next.js and its compression middleware later replace the methods of the response object. The replacements call these
 * wrappers.
 */
export function guardResponse(edge: Edge, exchange: Exchange): void {
  const { res } = exchange;
  const { writeHead, write, end, flushHeaders } = res;
  const wrap =
    (original: unknown, whenDiscarded: unknown) =>
    (...args: unknown[]) =>
      mustDiscard(edge, exchange)
        ? whenDiscarded
        : Reflect.apply(original as (...args: unknown[]) => unknown, res, args);
  res.writeHead = wrap(writeHead, res) as typeof writeHead;
  res.write = wrap(write, true) as typeof write;
  res.end = wrap(end, res) as typeof end;
  // Next.js flushes the headers of streaming pages early. Partner responses are sent in one write, so a call that would
  // flush their headers is ignored.
  res.flushHeaders = exchange.partner ? () => {} : (wrap(flushHeaders, undefined) as typeof flushHeaders);
}

function mustDiscard(edge: Edge, exchange: Exchange): boolean {
  const { res, partner, replaced } = exchange;
  if (replaced) return true;
  if (res.headersSent) return false;
  if (edge.draining || mustCloseConnection(exchange)) res.shouldKeepAlive = false;
  if (!partner) {
    if (res.statusCode >= 400) res.setHeader('Cache-Control', 'no-store');
    return false;
  }
  // Next.js sets the Vary header for caches, but partner responses are never cached.
  res.removeHeader('vary');
  if (res.hasHeader('x-request-id')) return false;
  log().error({ status: res.statusCode }, 'the request pipeline did not respond to a partner request');
  void refuse(exchange, new AppError('service_unavailable'));
  return true;
}
