import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { mustCloseConnection } from './body';
import type { Edge, Exchange } from './exchange';
import { refuse } from './refusal';

/**
 * Wraps the methods of a response. The wrappers do the following:
 *
 * - If Next.js itself responds to a partner request with a 404, 405, or 500, they send the contract's 503 instead. Such
 *   a response is recognized by its missing X-Request-Id header.
 * - If the server is draining, or if the request body will not be read completely, they close the connection after the
 *   response.
 * - If a response outside the partner API has an error status, they forbid caching. Otherwise, caches could keep a
 *   Next.js error page for a year.
 *
 * The wrappers are set on the response object itself, because Next.js and its compression middleware call and replace
 * the methods of this object.
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
  // For streaming pages, Next.js flushes the headers early. For a partner response, flushing is disabled, so that the
  // headers and the body are sent in one write.
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
  // Next.js adds a Vary header that names the request headers by which it selects the format of a page. The Vary header
  // is removed, because partner responses do not depend on these request headers and are never cached.
  res.removeHeader('vary');
  if (res.hasHeader('x-request-id')) return false;
  log().error({ status: res.statusCode }, 'the request pipeline did not respond to a partner request');
  void refuse(exchange, new AppError('service_unavailable'));
  return true;
}
