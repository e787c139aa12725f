import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  Server,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '@/lib/contract/errors/app-error';
import { log } from '@/lib/platform/log';
import {
  clientAddress,
  type Edge,
  type Exchange,
  lastExchange,
  noteExchange,
  peerAddress,
  respondDirectly,
} from './exchange';
import { respondWithPage, sendText } from './page';
import { rawRefusal, refuse } from './refusal';
import { originForm, partnerRouteAt, pathOf } from './target';

/** Bytes (contract B2). A request with a 40 KB key gets a 401 instead of a protocol error. */
const MAX_HEAD = 64 * 1024;
/** A proxy keeps far fewer open. */
const MAX_CONNECTIONS = 2_000;
const MAX_REQUESTS = 1_000;

const received = new WeakMap<Duplex, number>();

/** Node announces the end of a connection in the last response, but ends it only if the response says so itself. */
function isLast(socket: Duplex): boolean {
  const count = (received.get(socket) ?? 0) + 1;
  received.set(socket, count);
  return count >= MAX_REQUESTS;
}

/** Handles an upgrade request for the development server of Next.js. Returns whether it took over the socket. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** Caches could otherwise keep an error page of Next.js for a year. */
class EdgeResponse extends ServerResponse {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (status >= 400) this.setHeader('Cache-Control', 'no-store');
    return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
  }
}

class EdgeServer extends Server<typeof IncomingMessage, typeof EdgeResponse> {
  /**
   * `close` calls this. Since Node 26, it would also end connections on which nothing has arrived yet. The drain ends idle
   * connections itself, and keeps these open if this is a worker that is being replaced: the first request may be on its way.
   */
  override closeIdleConnections(): void {}
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Returns the HTTP server (contract B2). Its port is for a trusted network: a proxy that buffers requests stops slow,
 * unfinished, and countless requests (deploy/nginx, deploy/caddy).
 */
export function createEdgeServer(edge: Edge, upgrade?: Upgrade): Server {
  const server = new EdgeServer({
    ServerResponse: EdgeResponse,
    maxHeaderSize: MAX_HEAD,
    requireHostHeader: false,
    // With this option, several Authorization headers become one value, which matches no key. Without it, the first
    // header would take precedence.
    joinDuplicateHeaders: true,
    // Longer than the idle timeout of common proxies, so that none sends a request on a connection that is about to
    // close.
    keepAliveTimeout: 65_000,
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
  });
  // By default, Node silently drops the headers beyond a maximum count. With 0, only `maxHeaderSize` limits them.
  server.maxHeadersCount = 0;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = MAX_REQUESTS;
  const begin = (req: IncomingMessage, res: ServerResponse) => handle(edge, req, res);
  server.on('request', begin);
  server.on('checkExpectation', begin);
  server.on('clientError', onClientError);
  server.on('connect', (_, socket) => refuseDetached(socket));
  if (upgrade) {
    server.on('upgrade', (req, socket, head) => {
      if (!upgrade(req, socket, head)) refuseDetached(socket);
    });
  }
  return server;
}

/** Node has detached this socket from the HTTP parser. */
function refuseDetached(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  refuseLast(socket, 'CONNECT');
}

/** Finds the route of the raw request target, and calls it or Next.js (contract A, B2). */
function handle(edge: Edge, req: IncomingMessage, res: ServerResponse): void {
  const method = req.method ?? 'GET';
  const target = originForm(req.url ?? '/');
  const route = partnerRouteAt(method, pathOf(target));
  const address = addressOf(req, edge.trustedProxies);
  const exchange: Exchange = { req, res, method, address, begun: performance.now(), replaced: false, closing: false };
  noteExchange(req.socket, exchange);
  if (isLast(req.socket) || edge.draining) res.setHeader('Connection', 'close');
  const responding = route
    ? respondDirectly(edge, exchange, edge.routes[route], target)
    : respondWithPage(edge, exchange, target);
  responding.catch((error: unknown) => {
    log().error({ err: error }, 'the request handler failed');
    if (res.headersSent) res.destroy();
    else if (route) void refuse(exchange, new AppError('service_unavailable'));
    else sendText(res, { status: 500, text: 'Internal Server Error' });
  });
}

function addressOf(req: IncomingMessage, proxies: number): string {
  const peer = peerAddress(req.socket.remoteAddress);
  if (proxies === 0) return peer;
  const forwarded = req.headers['x-forwarded-for'];
  return clientAddress(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, proxies);
}

const GRACE_MS = 1_000;

const failed = new WeakSet<Duplex>();

const NOT_HTTP = 'The request is not valid HTTP. In a path, a space is sent as %20.';
const MESSAGES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT:
    'The request did not arrive completely in time. Its body may be shorter than its Content-Length.',
  HPE_INVALID_EOF_STATE: 'The connection ended before the request was complete.',
  CONNECT: 'CONNECT and upgrades of the connection are not supported.',
  HPE_HEADER_OVERFLOW: 'The headers of the request are larger than 64 KiB.',
};

/** Returns the contract's 400 for what Node could not read. Node's own message could contain parts of the request. */
function unreadable(code: string | undefined): AppError {
  return new AppError('invalid_request', { message: MESSAGES[code ?? ''] ?? NOT_HTTP });
}

/** Responds with the contract's 400 to what Node could not read (B2), once per request and after earlier responses. */
function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // After the first error, Node's parser reports another error for every further packet.
  if (failed.has(socket)) return;
  failed.add(socket);
  const last = lastExchange(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  // The latest request that Node could parse is complete, so the malformed bytes belong to a request after it.
  else if (!last || last.req.complete) refuseLast(socket, error.code);
  else if (last.res.headersSent || last.replaced) afterEarlier(socket, () => close(socket));
  else failLast(last, unreadable(error.code));
}

function failLast(last: Exchange, error: AppError): void {
  last.closing = true;
  if (last.failBody) last.failBody(error);
  else void refuse(last, error);
}

/** Sends the contract's 400 after the responses to earlier requests on the connection, and closes the connection. */
function refuseLast(socket: Duplex, code?: string): void {
  afterEarlier(socket, async () => {
    const { remoteAddress } = socket as Socket;
    close(socket, await rawRefusal(peerAddress(remoteAddress), unreadable(code)));
  });
}

function afterEarlier(socket: Duplex, callback: () => void): void {
  const last = lastExchange(socket);
  if (!last || last.res.closed || last.res.writableFinished) callback();
  else last.res.once('close', callback);
}

function close(socket: Duplex, text?: string): void {
  if (socket.writable) socket.end(text);
  setTimeout(() => socket.destroy(), GRACE_MS).unref();
}
