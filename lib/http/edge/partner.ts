import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import Negotiator from 'negotiator';
import { createTurns } from '@/lib/platform/turns';
import type { Answer, Respond } from '../partner-api/web';
import type { Edge, Exchange } from './exchange';
import { MAX_ACCEPT_ENCODING } from './headers';
import { readBytes } from './read-body';
import { pathOf } from './target';

/** Bytes. Next.js uses the same limit. */
const COMPRESSED_FROM = 1024;

/** Compression runs in separate threads, which would otherwise use all processors. */
const COMPRESSING = Math.max(1, Math.floor(availableParallelism() / 2));
/** Beyond this many compressions, running or waiting, responses are not compressed. */
const MAX_COMPRESSIONS = 16;
/** This level takes a third of the time of the default, and the result is 10 to 20 % larger. */
const LEVEL = 1;

const compress = promisify<Buffer | string, ZlibOptions, Buffer<ArrayBuffer>>(gzip);
const turns = createTurns(COMPRESSING);

let compressions = 0;

/** Calls a route of the partner API, a health check, or the metrics, and sends its response, without Next.js. */
export async function respondDirectly(edge: Edge, exchange: Exchange, respond: Respond, target: string): Promise<void> {
  const { req, begun, method, address } = exchange;
  const path = pathOf(target);
  const search = target.slice(path.length + 1);
  const { headers } = req;
  const answer = await respond({
    begun,
    headers,
    method,
    path,
    search,
    address,
    readBytes: (max) => readBytes(req, max),
  });
  if (answer.lost) return void exchange.res.destroy();
  const length = Buffer.byteLength(answer.body);
  if (length >= COMPRESSED_FROM && compressions < MAX_COMPRESSIONS && acceptsGzip(exchange))
    await sendCompressed(edge, exchange, answer);
  else send(edge, exchange, answer, length);
}

function acceptsGzip({ req }: Exchange): boolean {
  const accepted = req.headers['accept-encoding'];
  if (accepted === undefined || accepted.length > MAX_ACCEPT_ENCODING) return false;
  return new Negotiator(req).encoding(['gzip', 'identity']) === 'gzip';
}

async function sendCompressed(edge: Edge, exchange: Exchange, { status, headers, body }: Answer): Promise<void> {
  const compressed = await compressInTurn(body);
  headers['Content-Encoding'] = 'gzip';
  send(edge, exchange, { status, headers, body: compressed }, compressed.length);
}

async function compressInTurn(body: Answer['body']): Promise<Buffer<ArrayBuffer>> {
  compressions += 1;
  const endTurn = await turns.take('');
  try {
    return await compress(body, { level: LEVEL });
  } finally {
    compressions -= 1;
    endTurn();
  }
}

function send(edge: Edge, exchange: Exchange, { status, headers, body }: Answer, length: number): void {
  const { res, replaced } = exchange;
  if (replaced || res.headersSent || res.destroyed) return;
  if (edge.draining) headers.Connection = 'close';
  // The length of a 304 would be that of the body that it leaves out (RFC 9110).
  if (status !== 304) headers['Content-Length'] = String(length);
  res.writeHead(status, headers);
  res.end(body);
}
