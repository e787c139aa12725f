import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onClientError } from './client-error';
import type { Edge } from './exchange';
import { closeGracefully } from './graceful-close';
import { handle } from './handler';
import { countWaitingChunks, endSkips } from './limits/chunks';
import { closeLargestHeads, headBytes, MAX_HEAD, notePassedOn } from './limits/heads';
import { afterEarlier, inTurn, noteAccepted } from './limits/turns';
import { closeStuck } from './limits/unread';
import { EdgeRequest } from './request';

/** Handles an upgrade request for the development server of Next.js. Returns whether it took over the socket. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Returns the HTTP server. Node itself never responds. CONNECT requests are handled like all others. So are requests
 * with an Upgrade header, an unknown Expect header, or no Host header. A request that Node cannot parse gets the 400 of
 * contract B2.
 */
export function createEdgeServer(edge: Edge, upgrade?: Upgrade): Server {
  const server = createServer({
    IncomingMessage: EdgeRequest,
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
  const begin = (req: IncomingMessage, res: ServerResponse) => {
    notePassedOn(req.socket, headBytes(req));
    const endCount = countWaitingChunks(req);
    inTurn(req, res, (waited) => {
      endCount();
      handle(edge, req, res, waited);
    });
  };
  server.on('connection', () => {
    noteAccepted();
    endSkips();
  });
  server.on('request', begin);
  server.on('checkExpectation', begin);
  server.on('connect', (req, socket) => handleDetached(edge, req, socket));
  server.on('clientError', onClientError);
  closeStuck(server);
  closeLargestHeads(server);
  if (upgrade) {
    server.on('upgrade', (req, socket, head) => {
      if (!upgrade(req, socket, head)) handleDetached(edge, req, socket);
    });
  }
  return server;
}

/**
 * Handles a CONNECT or upgrade request, and closes the connection. Node has already detached the socket of such a
 * request from the HTTP parser.
 */
function handleDetached(edge: Edge, req: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  // Waits for earlier pipelined requests, because their responses are sent on the same socket.
  afterEarlier(socket, () => {
    if (!socket.writable) return;
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket as Socket);
    res.once('finish', () => {
      res.detachSocket(socket as Socket);
      closeGracefully(socket);
    });
    handle(edge, req, res, 0);
  });
}
