import { AppError } from '@/lib/contract/errors/app-error';
import type { Exchange } from './exchange';
import { GRACE, lingeringEnd, MAX_DRAIN } from './linger';
import { refuse } from './refusal';

/** Tells whether a request announces a body. */
export function hasBody(exchange: Exchange): boolean {
  const { headers } = exchange.req;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Tells whether the rest of a request's body is more than is read after an answer, or may be: its connection ends with
 * the answer, and the client is told so.
 */
export function endsConnection(exchange: Exchange): boolean {
  const { req } = exchange;
  if (req.complete || !hasBody(exchange)) return false;
  const announced = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return announced > MAX_DRAIN;
}

/**
 * Lets at most `passed` bytes of a request's body through to the application, drains up to 2 MiB more and then cuts
 * the connection (contract B3). Next reads a body eagerly into memory whether or not the route wants it: without a
 * bound before it, one endless upload would fill the process.
 */
export function limitBody(exchange: Exchange, passed: number): void {
  const { req, res } = exchange;
  const push = req.push.bind(req);
  let limit = passed;
  let seen = 0;
  if (limit === 0) req.resume();
  req.push = (chunk: unknown) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk);
    const before = seen;
    seen += chunk.length;
    if (seen <= limit) return push(chunk);
    if (before < limit) push(chunk.subarray(0, limit - before));
    if (seen <= limit + MAX_DRAIN) return true;
    cut(exchange);
    return false;
  };
  // Before Node's own listener, which would drain without a bound, or close while the client still sends.
  res.prependOnceListener('finish', () => {
    if (req.complete) return;
    limit = Math.min(limit, seen);
    req.resume();
    const { socket } = req;
    socket.destroySoon = () => lingeringEnd(socket);
  });
}

/** Reads no more, but lets the answer out first: a reset at once could take it from the client's buffer. */
function cut(exchange: Exchange): void {
  const { req, res } = exchange;
  const close = () => {
    req.socket.end();
    setTimeout(() => req.socket.destroy(), GRACE).unref();
  };
  if (res.writableFinished) close();
  else res.once('close', close);
  void refuse(exchange, new AppError('invalid_request', { message: 'The body is too large.' }));
}
