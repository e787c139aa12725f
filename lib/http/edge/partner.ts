import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Answer, Respond } from '../partner-api/partner-route';
import { mustCloseConnection } from './body';
import type { Edge, Exchange } from './exchange';
import { readBytes } from './read-body';
import { pathOf } from './target';

/** Shorter response bodies (in bytes) are not compressed. Next.js uses the same limit. */
const COMPRESSED_FROM = 1024;

const compress = promisify(gzip);

/** Calls a route of the partner API, a health check, or the metrics, and sends its response, without Next.js. */
export async function respondDirectly(edge: Edge, exchange: Exchange, respond: Respond, target: string): Promise<void> {
  const { req, begun, waited, method, address } = exchange;
  const path = pathOf(target);
  const search = target.slice(path.length + 1);
  const { headers } = req;
  const readBody = (max: number) => readBytes(req, max);
  const { socket: connection } = req;
  const answer = await respond({
    begun,
    waited,
    headers,
    method,
    path,
    search,
    address,
    connection,
    readBytes: readBody,
  });
  if (answer.lost) return void exchange.res.destroy();
  const length = Buffer.byteLength(answer.body);
  if (length >= COMPRESSED_FROM && acceptsGzip(exchange)) await sendCompressed(edge, exchange, answer);
  else send(edge, exchange, answer, length);
}

function acceptsGzip({ req }: Exchange): boolean {
  return req.headers['accept-encoding'] !== undefined && new Negotiator(req).encoding(['gzip', 'identity']) === 'gzip';
}

async function sendCompressed(edge: Edge, exchange: Exchange, { status, headers, body }: Answer): Promise<void> {
  const compressed = await compress(body);
  headers['Content-Encoding'] = 'gzip';
  send(edge, exchange, { status, headers, body: compressed }, compressed.length);
}

/**
 * Sends headers and body in one write. Does nothing if the edge has refused the request (see `refuse`) or the
 * connection is closed.
 */
function send(edge: Edge, exchange: Exchange, { status, headers, body }: Answer, length: number): void {
  const { res, replaced } = exchange;
  if (replaced || res.headersSent || res.destroyed) return;
  if (edge.draining || mustCloseConnection(exchange)) res.shouldKeepAlive = false;
  headers['Content-Length'] = String(length);
  res.writeHead(status, headers);
  res.end(body);
}
