import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { onClientError, refuseLast } from './client-error';
import type { Edge } from './exchange';
import { handle } from './handler';

/**
 * Maximum number of bytes of a request head (contract B2). It is high enough that a request with a 40 KB key gets a
 * 401 instead of a protocol error.
 */
const MAX_HEAD = 64 * 1024;
/** Maximum number of connections of this process. A proxy keeps far fewer open. */
const MAX_CONNECTIONS = 2_000;
/** Maximum number of requests of a connection. Its last response announces that the connection closes. */
const MAX_REQUESTS = 1_000;

/** Handles an upgrade request for the development server of Next.js. Returns whether it took over the socket. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** A response that no cache keeps if it is an error. Caches could otherwise keep an error page of Next.js for a year. */
class EdgeResponse extends ServerResponse {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (status >= 400) this.setHeader('Cache-Control', 'no-store');
    return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
  }
}

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Returns the HTTP server. Its port is for a trusted network: slow, unfinished, and countless requests of untrusted
 * clients are stopped by a proxy that buffers requests (deploy/nginx, deploy/caddy). Requests with an Upgrade header, an
 * unknown Expect header, or no Host header are handled like all others. CONNECT, and a request that Node cannot parse,
 * get the 400 of contract B2.
 */
export function createEdgeServer(edge: Edge, upgrade?: Upgrade): Server {
  const server = createServer({
    ServerResponse: EdgeResponse,
    maxHeaderSize: MAX_HEAD,
    requireHostHeader: false,
    // With this option, several Authorization headers become one value, which matches no key. Without it, the first
    // header would take precedence.
    joinDuplicateHeaders: true,
    // This timeout is longer than the idle timeout of common proxies, so that no proxy sends a request on a
    // connection that the server is about to close.
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

/** Refuses a CONNECT or upgrade request. Node has detached its socket from the HTTP parser. */
function refuseDetached(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  refuseLast(socket);
}
