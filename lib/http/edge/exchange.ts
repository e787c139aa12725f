import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import Negotiator from 'negotiator';
import type { AppError } from '@/lib/contract/errors/app-error';
import { createTurns } from '@/lib/platform/turns';
import { bodyTooLarge, bodyUnreadable } from '../partner-api/request';
import type { Answer, Respond } from '../partner-api/web';
import { MAX_ACCEPT_ENCODING } from './headers';
import { type OperatorPath, type PartnerRouteId, pathOf } from './target';

export type Routes = Readonly<Record<PartnerRouteId, Respond>>;

export type OperatorRoutes = Readonly<Record<OperatorPath, Respond>>;

export type Edge = {
  next: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  routes: Routes;
  operatorRoutes: OperatorRoutes;
  trustedProxies: number;
  inngest: boolean;
  draining: boolean;
};

export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  address: string;
  /** Unit and origin of `performance.now()`. */
  begun: number;
  replaced: boolean;
  /** What follows on the connection cannot be read. */
  closing: boolean;
  /** Ends the reading of the body with an error, to which the route then responds. Undefined until a route reads it. */
  failBody?: (error: AppError) => void;
};

const last = new WeakMap<Duplex, Exchange>();

/** Records the latest exchange of a connection. A later error concerns this exchange or the request after it. */
export function noteExchange(socket: Duplex, exchange: Exchange): void {
  last.set(socket, exchange);
}

/** Returns the latest exchange of a connection. */
export function lastExchange(socket: Duplex): Exchange | undefined {
  return last.get(socket);
}

const NO_ADDRESS = '0.0.0.0';

/** Returns the canonical form of an IP address without zone, port, and brackets, or null. IPv4-mapped is IPv4 (B2). */
export function canonicalAddress(text: string): string | null {
  const bare = withoutPort(text.trim());
  // `isIP` rejects `1`, `0x7f.1`, and octal notation, which ipaddr.js accepts.
  if (isIP(bare) === 0) return null;
  const zone = bare.indexOf('%');
  return ipaddr.process(zone < 0 ? bare : bare.slice(0, zone)).toString();
}

function withoutPort(text: string): string {
  if (text.startsWith('[')) {
    const match = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text);
    return match?.[1] ?? text;
  }
  const colon = text.indexOf(':');
  // Text with one colon is an IPv4 address with a port. Text with several colons is an IPv6 address.
  return colon > 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text;
}

export function peerAddress(remote: string | undefined): string {
  return (remote && canonicalAddress(remote)) || NO_ADDRESS;
}

/**
 * Returns the client's address behind `proxies` trusted proxies (contract B2). Each proxy appends its peer to
 * X-Forwarded-For, so only the last `proxies` entries count. A missing or malformed entry gives the entry to its right,
 * or `peer`.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, proxies: number): string {
  if (proxies === 0 || !forwardedFor) return peer;
  let address = peer;
  let end = forwardedFor.length;
  for (let hop = 0; hop < proxies && end >= 0; hop++) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const start = end === 0 ? -1 : comma;
    const entry = canonicalAddress(forwardedFor.slice(start + 1, end));
    if (entry === null) return address;
    address = entry;
    end = start;
  }
  return address;
}

/**
 * Returns the body of a request. Discards what exceeds `max` bytes, so that the client can send it and read the
 * response.
 * @throws AppError invalid_request if the body is larger, incomplete, or malformed, or if the connection breaks.
 */
export function readBytes(req: Readable, max: number, exchange?: Exchange): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const broken = (cause?: unknown) => reject(bodyUnreadable(cause));
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) return void chunks.push(chunk);
      chunks = [];
      reject(bodyTooLarge());
    });
    req.once('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', broken).once('close', broken);
    exchange?.res.once('close', broken);
    if (exchange) exchange.failBody = reject;
    // What has already ended emits no events, so the promise would never settle.
    if (req.destroyed || exchange?.replaced) broken();
  });
}

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
  const { req, res, begun, method, address } = exchange;
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
    readBytes: (max) => readBytes(req, max, exchange),
  });
  if (answer.lost) return void res.destroy();
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
  const { res, replaced, closing } = exchange;
  if (replaced || res.headersSent || res.destroyed) return;
  if (edge.draining || closing) headers.Connection = 'close';
  // The length of a 304 would be that of the body that it leaves out (RFC 9110).
  if (status !== 304) headers['Content-Length'] = String(length);
  res.writeHead(status, headers);
  res.end(body);
}
