import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import { endsConnection } from './body';
import type { Edge, Exchange } from './exchange';
import { refuse } from './refusal';

/**
 * Watches over an answer: one that Next gives to a partner request by itself (its own 404, 405 or 500, told by the
 * missing request id) is replaced by the contract's 503, and while the server is going down every answer closes its
 * connection; so does one to a request whose body will not be read to its end. Own properties, not a subclass: Next and its compression call whatever stands on the instance.
 */
export function guardAnswer(edge: Edge, exchange: Exchange): void {
  const { res } = exchange;
  const { writeHead, write, end, flushHeaders } = res;
  const withheld = () => isWithheld(edge, exchange);
  const pass =
    (original: unknown, whenWithheld: unknown) =>
    (...args: unknown[]) =>
      withheld() ? whenWithheld : Reflect.apply(original as (...args: unknown[]) => unknown, res, args);
  res.writeHead = pass(writeHead, res) as typeof writeHead;
  res.write = pass(write, true) as typeof write;
  res.end = pass(end, res) as typeof end;
  // Next flushes for pages that stream; an answer of the contract leaves with its head in one write, not two.
  res.flushHeaders = exchange.partner ? () => {} : (pass(flushHeaders, undefined) as typeof flushHeaders);
}

function isWithheld(edge: Edge, exchange: Exchange): boolean {
  const { res, partner, taken } = exchange;
  if (taken) return true;
  if (res.headersSent) return false;
  if (edge.draining || endsConnection(exchange)) res.shouldKeepAlive = false;
  if (!partner || res.hasHeader('x-request-id')) return false;
  log().error({ status: res.statusCode }, 'a partner request was not answered by the pipeline');
  void refuse(exchange, new AppError('service_unavailable'));
  return true;
}
