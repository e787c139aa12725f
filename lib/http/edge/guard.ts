import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { mustCloseConnection } from './body';
import type { Edge, Exchange } from './exchange';
import { refuse } from './refusal';

/**
 * Wraps the methods of a response:
 *
 * - If Next responds to a partner request itself with a 404, 405, or 500, the contract's 503 replaces that response.
 *   Such a response is recognized by its missing request id.
 * - If the server is draining, or if the request body will not be read to its end, the response closes the connection.
 *
 * The wrappers are properties of the instance, because Next and its compression middleware call and replace the methods
 * of the instance.
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
  // Next flushes the headers early for streaming pages. This must not happen to a partner response, which is sent in
  // one write, headers and body together.
  res.flushHeaders = exchange.partner ? () => {} : (wrap(flushHeaders, undefined) as typeof flushHeaders);
}

function mustDiscard(edge: Edge, exchange: Exchange): boolean {
  const { res, partner, replaced } = exchange;
  if (replaced) return true;
  if (res.headersSent) return false;
  if (edge.draining || mustCloseConnection(exchange)) res.shouldKeepAlive = false;
  if (!partner) return false;
  // Next's Vary header names request headers that select its page formats. It is removed because partner responses do
  // not depend on these headers and are never cached.
  res.removeHeader('vary');
  if (res.hasHeader('x-request-id')) return false;
  log().error({ status: res.statusCode }, 'the request pipeline did not respond to a partner request');
  void refuse(exchange, new AppError('service_unavailable'));
  return true;
}
