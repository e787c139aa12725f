import type { IncomingMessage } from 'node:http';
import { AppError } from '@/lib/contract/errors/app-error';
import type { Exchange } from './exchange';
import { closeGracefully, MAX_DRAIN, stopReading } from './graceful-close';
import { hasTooManyChunks, noteChunk } from './limits/chunks';
import { notePassedOn } from './limits/heads';
import { mayReadOn } from './limits/reading';
import { refuse } from './refusal';

/** Returns whether a request has a body, according to its headers. */
export function hasBody(exchange: Exchange): boolean {
  const { headers } = exchange.req;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Returns whether the unread part of a body may exceed `MAX_DRAIN` bytes. In this case, the response must have
 * `Connection: close`.
 */
export function mustCloseConnection(exchange: Exchange): boolean {
  const { req } = exchange;
  if (req.complete || !hasBody(exchange)) return false;
  const announced = Number(req.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  return announced > MAX_DRAIN;
}

/**
 * Joins the parts of a body that arrived while its request waited for its turn. Returns their number of bytes. Each byte
 * can be a part of its own, and reading many small parts would block the event loop.
 */
export function joinArrived(req: IncomingMessage): number {
  const length = req.readableLength;
  if (length === 0) return 0;
  req.unshift(req.read());
  // After `read`, this getter returns true, and `Request` in Next.js rejects the body.
  Object.defineProperty(req, 'readableDidRead', { value: false, configurable: true });
  return length;
}

const TOO_MANY_CHUNKS = 'The body consists of too many small chunks.';

/**
 * Makes the first `maxBytes` bytes of a body readable, and discards up to 2 MiB that follow. If even more bytes follow,
 * closes the connection (contract B3). Next.js buffers the whole body of every request, so an endless upload would
 * exhaust the memory.
 */
export function limitBody(exchange: Exchange, maxBytes: number): void {
  const { req, res } = exchange;
  const push = req.push.bind(req);
  let limit = maxBytes;
  let seen = exchange.arrived;
  let rejected = false;
  const reject = (message: string) => {
    rejected = true;
    rejectBody(exchange, message);
    return false;
  };
  if (seen > 0) notePassedOn(req.socket, seen);
  if (limit === 0) req.resume();
  req.push = (chunk: unknown) => {
    if (!Buffer.isBuffer(chunk)) return push(chunk);
    notePassedOn(req.socket, chunk.length);
    if (rejected) return false;
    if (!noteChunk(req, chunk.length)) return reject(TOO_MANY_CHUNKS);
    const before = seen;
    seen += chunk.length;
    if (seen <= limit) return push(chunk) && mayReadOn(req.socket, chunk.length);
    if (before < limit) push(chunk.subarray(0, limit - before));
    if (seen <= limit + MAX_DRAIN) return mayReadOn(req.socket, chunk.length);
    return reject('The body is too large.');
  };
  // The route can refuse the request first, for example because it has no key.
  if (hasTooManyChunks(req)) setImmediate(reject, TOO_MANY_CHUNKS);
  // This listener must run before Node's listener. Node's listener would read the remaining body without a limit, or
  // close the connection while the client is still sending.
  res.prependOnceListener('finish', () => {
    if (req.complete) return;
    limit = Math.min(limit, seen);
    req.resume();
    const { socket } = req;
    socket.destroySoon = () => closeGracefully(socket);
  });
}

/** Stops reading the body, sends the response, and closes the connection after a grace period (see `stopReading`). */
function rejectBody(exchange: Exchange, message: string): void {
  const { req, res } = exchange;
  const close = () => {
    req.socket.end();
    stopReading(req.socket);
  };
  if (res.writableFinished) close();
  else res.once('close', close);
  void refuse(exchange, new AppError('invalid_request', { message }));
}
